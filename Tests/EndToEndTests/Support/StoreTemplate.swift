import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

/// The store of a broker that has run before, with its signing keys: making RSA keys takes longer than most tests.
actor StoreTemplate {
    static let shared = StoreTemplate()

    private var made: [TestEngine: Task<TestFolder, any Error>] = [:]

    /// Lends `body` a folder with a master key and the database that belongs to it; what stands under `database` in the
    /// configuration comes along.
    nonisolated func withCopy<Value>(
        on engine: TestEngine = .current, _ body: (TestFolder, JSONValue) async throws -> Value
    ) async throws -> Value {
        let template = try await template(engine)
        let folder = try TestFolder()
        for name in ["master.key", "data"] where FileManager.default.fileExists(atPath: template.file(name)) {
            try FileManager.default.copyItem(atPath: template.file(name), toPath: folder.file(name))
        }
        guard engine == .postgreSQL else {
            return try await body(folder, ["path": "data/broker.sqlite"])
        }
        let url = try await PostgreSQLServer.shared.newDatabase(like: "template_store") { url in
            try await Self.open(template, ["url": .string(url)])
        }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(folder, ["url": .string(url)]))
        } catch {
            result = .failure(error)
        }
        try await PostgreSQLServer.shared.drop(url)
        return try result.get()
    }

    private func template(_ engine: TestEngine) async throws -> TestFolder {
        if let made = made[engine] { return try await made.value }
        let task = Task {
            let folder = try TestFolder()
            try folder.write(Installation.newMasterKey() + "\n", to: "master.key")
            try folder.write(#"{"providers":[]}"#, to: "plugins.json")
            if engine == .sqlite { try await Self.open(folder, ["path": "data/broker.sqlite"]) }
            return folder
        }
        made[engine] = task
        return try await task.value
    }

    /// Lets a broker make its tables and keys.
    private static func open(_ folder: TestFolder, _ database: JSONValue) async throws {
        let configuration: JSONValue = [
            "publicURL": "http://127.0.0.1:9099", "database": database, "masterKey": ["file": "master.key"],
            "project": ["id": "my-app", "number": "123456789012", "authorizedDomains": ["localhost"]],
            "apiKeys": [["key": .string(randomText()), "origins": []]],
        ]
        try folder.write(configuration.serialized(), to: "broker.json")
        try await BrokerProcess.run(["serve", "--json", "--listen", "127.0.0.1:0"], in: folder) { process in
            let line = await process.output.firstLine()
            try #require(line?.contains(#""broker""#) == true, "\(process.log.text)")
            try await process.stop()
        }
    }
}
