import Broker
import BrokerStore
import Foundation
import GitHub
import OAuth
import PostgreSQLTesting
import ProviderKit

/// A store with its signing keys already made, copied into each test's folder: making an RSA key takes longer than most
/// tests.
actor TestTemplate {
    static let shared = TestTemplate()

    private var made: Task<TestFolder, any Error>?

    /// Puts `master.key` and a database into a folder.
    func copy(into folder: TestFolder) async throws {
        let template = try await template()
        for name in ["master.key", "data"] {
            try FileManager.default.copyItem(atPath: template.path + "/" + name, toPath: folder.path + "/" + name)
        }
        guard TestEngine.current == .postgreSQL else { return }
        let url = try await PostgreSQLServer.shared.newDatabase(like: "template_broker") { url in
            try template.write("data/url", url)
            try await Self.makeKeys(in: template)
        }
        try folder.write("data/url", url)
    }

    private func template() async throws -> TestFolder {
        if let made { return try await made.value }
        let task = Task {
            let folder = try TestFolder()
            try folder.write("plugins.json", #"{"providers":[]}"#)
            try folder.write("master.key", KeyMaterial.generateText())
            try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
            if TestEngine.current == .sqlite { try await Self.makeKeys(in: folder) }
            return folder
        }
        made = task
        return try await task.value
    }

    private static func makeKeys(in folder: TestFolder) async throws {
        await (try BrokerCore.open(try folder.configuration(), plugins: [], environment: [:])).close()
    }
}

/// Lets a handful of brokers run at once: the tests of a whole package on two cores would otherwise start hundreds and
/// time each other out.
actor TestSlots {
    static let shared = TestSlots(count: 8)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) {
        free = count
    }

    func enter() async {
        if free > 0 {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}

extension TestFolder {
    /// A broker's configuration with everything in this folder.
    func configuration(apiKey: String = RandomText.alphanumeric(24)) throws -> Configuration {
        var configuration = Configuration(
            publicURL: "http://127.0.0.1:9099", listen: .init(host: "127.0.0.1", port: 0),
            project: .init(id: "test-project", number: "123456789012", authorizedDomains: ["localhost"]),
            apiKeys: [.init(key: apiKey, origins: ["https://app.example"])], allowsAnonymousSignIn: true,
            database: try databaseURL().map { .postgreSQL(url: Secret($0), connections: 12) }
                ?? .sqlite(path: path + "/data/broker.sqlite"), masterKey: .file(path + "/master.key"),
            pluginsPath: path + "/plugins.json")
        // All clients of a test have one address; the tests of the limits turn them on.
        configuration.rateLimits = .off
        // Hundreds of tests on a small machine; those of a provider that hangs set their own.
        configuration.providerTimeout = .seconds(20)
        return configuration
    }

    /// The connection string of this folder's PostgreSQL database, if it has one.
    private func databaseURL() throws -> String? {
        guard TestEngine.current == .postgreSQL else { return nil }
        return try String(contentsOfFile: path + "/data/url", encoding: .utf8)
    }

    /// Removes the folder, and the database that belongs to it.
    func removeAll() async throws {
        if let url = try? databaseURL() { try await PostgreSQLServer.shared.drop(url) }
        remove()
    }
}
