import Broker
import Foundation
import OAuth
import ProviderKit

/// The files of one broker, as `broker init` and `broker demo` write them.
struct BrokerFolder {
    let path: String

    init(_ path: String) {
        self.path = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL.path
    }

    /// Whether commands find the configuration here without `--config`.
    var isWorkingFolder: Bool { path == URL(filePath: ".", directoryHint: .isDirectory).standardizedFileURL.path }
    var configuration: String { path + "/broker.json" }
    var plugins: String { path + "/plugins.json" }
    var masterKey: String { path + "/master.key" }

    /// Writes all three files, or none. An existing file is never replaced.
    ///
    /// - Returns: The generated API key.
    /// - Throws: ``CommandFailure`` when a file exists or cannot be written.
    func write(
        publicURL: String, project: String, origins: [String], allowsAnonymousSignIn: Bool = false,
        providers: JSONValue = []
    ) throws -> String {
        let manager = FileManager.default
        for file in [configuration, plugins, masterKey] where manager.fileExists(atPath: file) {
            throw CommandFailure(
                code: "FILE_EXISTS", "\(file) exists: nothing was written. Use another --directory or move it.")
        }
        let apiKey = RandomText.alphanumeric(32)
        try check(publicURL: publicURL, project: project, origins: origins, apiKey: apiKey)
        do {
            try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
            let settings = Self.configuration(publicURL, project, origins, apiKey, allowsAnonymousSignIn)
            try PrivateFiles.create(
                [
                    masterKey: KeyMaterial.generateText(), configuration: Self.pretty(settings),
                    plugins: Self.pretty(["providers": providers]),
                ], in: path)
            return apiKey
        } catch {
            throw CommandFailure(code: "CANNOT_WRITE", "the files cannot be written to \(path)")
        }
    }

    /// Refuses what `serve` would refuse, before anything is written.
    private func check(
        publicURL: String, project: String, origins: [String], apiKey: String
    ) throws(ConfigurationError) {
        let url = try Configuration.checkedPublicURL(publicURL, in: "--public-url")
        try Configuration(
            publicURL: url, listen: .init(host: "127.0.0.1", port: 0),
            project: .init(id: project, number: "1", authorizedDomains: []),
            apiKeys: [.init(key: apiKey, origins: origins)], database: .sqlite(path: path), masterKey: .file(masterKey),
            pluginsPath: plugins
        ).check(source: "the options of broker init")
    }

    private static func configuration(
        _ publicURL: String, _ project: String, _ origins: [String], _ apiKey: String, _ anonymous: Bool
    ) -> JSONValue {
        let number = String(UInt64.random(in: 100_000_000_000...999_999_999_999))
        let url = URL(string: publicURL)
        let host = url?.host() ?? "127.0.0.1"
        let isLocal = loopbackHosts.contains(host)
        return [
            "publicURL": .string(publicURL),
            "listen": .string("127.0.0.1:\(isLocal ? url?.port ?? 9099 : 9099)"),
            "project": [
                "id": .string(project), "number": .string(number),
                "authorizedDomains": .array(authorizedDomains(host, origins).map(JSONValue.string)),
            ],
            "apiKeys": [["key": .string(apiKey), "origins": .array(origins.map(JSONValue.string))]],
            "policy": "strict", "signIn": ["anonymous": .bool(anonymous)],
            "database": ["path": "data/broker.sqlite"], "masterKey": ["file": "master.key"],
            "trustedProxies": [], "plugins": "plugins.json",
        ]
    }

    private static let loopbackHosts = ["127.0.0.1", "localhost", "::1"]

    /// The hosts of the broker and of the origins, without duplicates. `localhost` is included only for a broker on
    /// this machine: anywhere else it means the machine of the user who opens a link.
    private static func authorizedDomains(_ host: String, _ origins: [String]) -> [String] {
        let isLocal = loopbackHosts.contains(host)
        let hosts = (isLocal ? ["localhost"] : []) + [host] + origins.compactMap { URL(string: $0)?.host() }
        return hosts.reduce(into: []) { known, host in
            if !known.contains(host), isLocal || !loopbackHosts.contains(host) { known.append(host) }
        }
    }

    private static func pretty(_ value: JSONValue) -> String {
        value.indented() + "\n"
    }
}
