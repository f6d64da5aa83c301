import BrowserTesting
import Foundation
import ProviderKit
import Subprocess
import Testing

/// The built `Examples/CommandLineApp` with a storage of its own, as a client of one broker.
struct ExampleApp: Sendable {
    let folder: TestFolder
    let url: String
    let clientID: String

    init(folder: TestFolder, url: String, clientID: String) {
        self.folder = folder
        self.url = url
        self.clientID = clientID
    }

    /// Registers the app.
    init(at broker: HostedBroker) async throws {
        let added = try await broker.document(
            "clients", "add", "--type", "native", "--name", "Example", "--redirect-uri", "http://127.0.0.1/callback")
        self.init(
            folder: try TestFolder(), url: broker.url,
            clientID: try #require(added["client"]?["clientId"]?.string, "\(added)"))
    }

    /// Runs a command to its end.
    func run(_ arguments: String...) async throws -> CommandResult {
        try await start(arguments) { _ in }
    }

    /// Runs a command, lends it to `body` while it runs, and waits for its end.
    func start(_ arguments: String..., body: (BrokerProcess) async throws -> Void) async throws -> CommandResult {
        try await start(arguments, body: body)
    }

    /// Runs a command that shows a page, and acts on the page in a browser until the app's own page answers.
    func visiting(
        _ arguments: String..., in browser: Browser, _ act: (Browser) async throws -> Void
    ) async throws -> CommandResult {
        try await start(arguments) { process in
            let line = try #require(await process.output.firstLine { $0.hasPrefix("Open ") }, "\(process.everything)")
            try await browser.open(String(line.dropFirst("Open ".count)))
            try await act(browser)
            try await browser.wait(forText: "You may close this window.")
        }
    }

    /// The permissions of the files that the app has stored.
    func storagePermissions() throws -> Set<Int> {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Set(
            try names.filter { name in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: folder.file(name), isDirectory: &isFolder)
                    && !isFolder.boolValue
            }.compactMap { try folder.permissions(of: $0) })
    }

    /// The same with a list of arguments.
    func start(
        _ arguments: [String], body: (BrokerProcess) async throws -> Void
    ) async throws -> CommandResult {
        try await BrokerProcess.run(try configuration(arguments)) { process in
            try await body(process)
            let exitCode = try await process.exitCode()
            return CommandResult(exitCode: exitCode, output: process.output.text, errors: process.log.text)
        }
    }

    private func configuration(_ arguments: [String]) throws -> Configuration {
        let program = URL(filePath: try BrokerExecutable.path()).deletingLastPathComponent()
            .appending(path: "CommandLineApp").path
        var options = PlatformOptions()
        options.createSession = true
        return Configuration(
            executable: .name("sh"),
            arguments: Arguments(["-c", #"cd "$0" && exec "$@""#, folder.path, program] + arguments),
            environment: .inherit.updating([
                "XDG_STATE_HOME": folder.path, "BROKER_URL": url, "CLIENT_ID": clientID, "DISPLAY": String?.none,
                "WAYLAND_DISPLAY": String?.none,
            ]), platformOptions: options)
    }
}
