import Foundation
import GitHub
import OAuth
import ProviderKit
import Testing

@testable import Broker

@Suite("what others on this host can do with the broker's files")
struct FileExposureTests {
    @Test(arguments: [0o602, 0o606, 0o646, 0o666, 0o777])
    func `plugins json that others can write to is refused, also while the broker runs`(mode: Int) async throws {
        try await TestBroker.run { broker in
            try broker.folder.write("plugins.json", #"{"providers": [] }"#)
            try broker.folder.chmod("plugins.json", mode)

            _ = broker.core.providers.configured.reload()
            guard case .refused(let error) = broker.core.providers.configured.reload() else {
                Issue.record("not refused")
                return
            }

            #expect(error.description.contains("others on this host can write to"))
            #expect(error.description.contains("chmod go-w"))
            #expect(broker.core.providers.current.providers.map(\.id) == ["github.com"])
            await #expect(throws: ConfigurationError.self) {
                try await BrokerCore.open(broker.core.configuration, plugins: [.github], environment: [:])
            }
        }
    }

    @Test(arguments: [(0o600, false), (0o644, false), (0o602, true), (0o666, true)])
    func `a secret file that others can write to is refused`(mode: Int, isRefused: Bool) async throws {
        try await TestBroker.run { broker in
            let secret = RandomText.alphanumeric(40)
            try broker.folder.write("secret", secret)
            try broker.folder.chmod("secret", mode)
            try broker.folder.write("plugins.json", Self.plugins(secret: ["file": "secret"]))

            _ = broker.core.providers.configured.reload()
            let outcome = broker.core.providers.configured.reload()

            switch outcome {
            case .refused(let error):
                #expect(isRefused && error.description.contains("/providers/0/options/clientSecret"))
                #expect(error.description.contains("write") && !error.description.contains(secret))
            case .adopted: #expect(!isRefused)
            case nil: Issue.record("nothing came of it")
            }
        }
    }

    @Test(arguments: [
        (#"{"env": "SECRET"}"#, 0o644, 0o600, []), (#"{"file": "secret"}"#, 0o644, 0o600, []),
        (#"{"file": "secret"}"#, 0o600, 0o644, ["secret"]), (#""text""#, 0o600, 0o600, []),
        (#""text""#, 0o644, 0o600, ["plugins.json"]), (#""text""#, 0o640, 0o600, []),
    ])
    func `files with secrets that others can read are named`(
        secret: String, pluginsMode: Int, secretMode: Int, named: [String]
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.write("secret", "s")
        try folder.chmod("secret", secretMode)
        try folder.write("plugins.json", Self.plugins(secret: try JSONValue(parsing: secret)))
        try folder.chmod("plugins.json", pluginsMode)
        let factory = ProviderFactory(
            path: folder.path + "/plugins.json", plugins: [.github], clients: EgressClients(),
            environment: ["SECRET": "s"], publicURL: "https://id.example", now: { Date() })

        let providers = try ProviderConfiguration(factory)

        #expect(providers.readableSecretFiles.map { URL(filePath: $0).lastPathComponent } == named)
    }

    @Test func `a secret that systemd handed over is not warned about`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.write("secret", "s")
        try folder.chmod("secret", 0o444)
        let files = SecretFiles(
            configuration: folder.path + "/plugins.json", environment: ["CREDENTIALS_DIRECTORY": folder.path])
        var decoder = JSONValueDecoder()
        decoder.userInfo = [.secretSource: files.source]

        _ = try decoder.decode(Secret.self, from: ["file": "secret"])

        #expect(files.readable.isEmpty)
    }

    @Test(arguments: ["data", "data/broker.sqlite", "data/broker.sqlite-wal"])
    func `a data folder and a database that others can write to are refused`(name: String) async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        let location = DatabaseLocation.sqlite(path: folder.path + "/data/broker.sqlite")
        if name != "data" { try folder.write(name, "") }
        try location.requirePrivateWriting()
        try folder.chmod(name, name == "data" ? 0o777 : 0o666)

        let error = #expect(throws: ConfigurationError.self) { try location.requirePrivateWriting() }

        #expect(error?.description.contains(folder.path + "/" + name + ":") == true)
    }

    @Test(arguments: [
        (0o755, 0o644, ["broker.sqlite"]), (0o755, 0o600, []), (0o700, 0o644, []), (0o711, 0o604, ["broker.sqlite"]),
    ])
    func `a database that others can read is named`(folderMode: Int, fileMode: Int, named: [String]) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        try folder.write("data/broker.sqlite", "")
        try folder.chmod("data/broker.sqlite", fileMode)
        try folder.chmod("data", folderMode)
        let location = DatabaseLocation.sqlite(path: folder.path + "/data/broker.sqlite")

        #expect(location.readableFiles.map { URL(filePath: $0).lastPathComponent } == named)
    }

    private static func plugins(secret: JSONValue) -> String {
        let entry: JSONValue = ["use": "github", "options": ["clientId": "c", "clientSecret": secret]]
        return JSONValue.object(["providers": [entry]]).serialized()
    }
}

extension TestFolder {
    fileprivate func chmod(_ name: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + "/" + name)
    }
}
