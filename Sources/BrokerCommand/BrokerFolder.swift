import Broker
import Foundation
import ProviderKit

/// The files of one broker, as `broker init` and `broker demo` write them.
struct BrokerFolder {
    let path: String

    init(_ path: String) {
        self.path = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL.path
    }

    var configuration: String { path + "/broker.json" }
    var plugins: String { path + "/plugins.json" }
    var masterKey: String { path + "/master.key" }

    /// Writes all three, or none: an existing file is never touched.
    ///
    /// - Returns: The API key that was made.
    /// - Throws: ``CommandFailure``.
    func write(
        publicURL: String, project: String, origins: [String], allowsAnonymousSignIn: Bool = false,
        providers: JSONValue = Self.gitHubToFillIn
    ) throws -> String {
        let manager = FileManager.default
        for file in [configuration, plugins, masterKey] where manager.fileExists(atPath: file) {
            throw CommandFailure(
                code: "FILE_EXISTS", "\(file) exists: nothing was written. Name another --directory, or move it away.")
        }
        do {
            try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
            let apiKey = RandomText.alphanumeric(32)
            try create(masterKey, MasterKey.generateText())
            try create(
                configuration,
                Self.pretty(Self.configuration(publicURL, project, origins, apiKey, allowsAnonymousSignIn)))
            try create(plugins, Self.pretty(["providers": providers]))
            return apiKey
        } catch {
            throw CommandFailure(code: "CANNOT_WRITE", "the files cannot be written to \(path)")
        }
    }

    /// Readable by the owner only from its first moment on.
    private func create(_ file: String, _ text: String) throws {
        guard
            FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
    }

    private static func configuration(
        _ publicURL: String, _ project: String, _ origins: [String], _ apiKey: String, _ anonymous: Bool
    ) -> JSONValue {
        let number = String(UInt64.random(in: 100_000_000_000...999_999_999_999))
        let url = URL(string: publicURL)
        let host = url?.host() ?? "127.0.0.1"
        let isLocal = ["127.0.0.1", "localhost", "::1"].contains(host)
        return [
            "publicURL": .string(publicURL),
            "listen": .string("127.0.0.1:\(isLocal ? url?.port ?? 9099 : 9099)"),
            "project": [
                "id": .string(project), "number": .string(number),
                "authorizedDomains": .array(["localhost", .string(host)]),
            ],
            "apiKeys": [["key": .string(apiKey), "origins": .array(origins.map(JSONValue.string))]],
            "policy": "strict", "signIn": ["anonymous": .bool(anonymous)],
            "database": ["path": "data/broker.sqlite"], "masterKey": ["file": "master.key"],
            "trustedProxies": [], "plugins": "plugins.json",
        ]
    }

    /// Off until it is filled in, so that a fresh broker starts.
    private static let gitHubToFillIn: JSONValue = [
        [
            "id": "github.com", "use": "github", "enabled": false,
            "options": ["clientId": "your-client-id", "clientSecret": ["env": "GITHUB_CLIENT_SECRET"]],
        ]
    ]

    private static func pretty(_ value: JSONValue) -> String {
        value.indented() + "\n"
    }
}
