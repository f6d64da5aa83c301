import Foundation
import ProviderKit
import Subprocess
import Testing

/// A program of a document in a folder of its own, with the registration of its client.
struct SampleProgram: Sendable {
    let name: String
    let folder: TestFolder
    var environment: [String: String]

    /// Writes the program down as it stands in the document; `replacements` are what a reader fills in.
    init(
        _ name: String, in document: String = "Docs/AddSignIn.md", environment: [String: String],
        replacing replacements: [String: String] = [:]
    ) throws {
        self.name = name
        self.environment = environment
        folder = try TestFolder()
        var code = try DocumentedCode.named(name, in: document)
        for (written, meant) in replacements {
            try #require(code.contains(written), "\(name) has no \(written)")
            code = code.replacing(written, with: meant)
        }
        try folder.write(code, to: name)
    }

    /// How it is started in its folder.
    func configuration(_ command: String...) -> Configuration {
        var options = PlatformOptions()
        options.createSession = true
        return Configuration(
            executable: .name("sh"), arguments: arguments(command), environment: variables, platformOptions: options)
    }

    /// Runs it to its end.
    func run(_ command: String..., input: String) async throws -> CommandResult {
        let result = try await Subprocess.run(
            .name("sh"), arguments: arguments(command), environment: variables, input: .string(input),
            output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
        return CommandResult(
            exitCode: result.terminationStatus.exitCode, output: result.standardOutput, errors: result.standardError)
    }

    private func arguments(_ command: [String]) -> Arguments {
        Arguments(["-c", #"cd "$0" && exec "$@""#, folder.path] + command)
    }

    private var variables: Environment {
        var changes: [Environment.Key: String?] = [:]
        for (name, value) in environment { changes[Environment.Key(stringLiteral: name)] = value }
        return .inherit.updating(changes)
    }
}

/// Node, which not every machine that runs the tests has.
enum TestNode {
    static let isThere = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/node")
    }
}
