import Broker
import Foundation
import ProviderKit
import Testing

@Suite("what broker.json leaves out")
struct ConfigurationDefaultsTests {
    private static func load(
        publicURL: String, database: JSONValue, environment: [String: String] = [:]
    ) throws -> Configuration {
        let folder = try TestFolder()
        defer { folder.remove() }
        let file: JSONValue = [
            "publicURL": .string(publicURL), "project": ["id": "my-app", "number": "1"],
            "apiKeys": [["key": "12345678"]], "database": database, "masterKey": ["file": "master.key"],
        ]
        try folder.write("broker.json", file.serialized())
        return try Configuration.load(path: folder.path + "/broker.json", environment: environment)
    }

    @Test func `a process has two database connections for each of its processors`() throws {
        let configuration = try Self.load(
            publicURL: "https://id.example", database: ["url": "postgresql://localhost/broker"])

        guard case .postgreSQL(_, let connections) = configuration.database else {
            Issue.record("\(configuration.database.name)")
            return
        }
        #expect(connections == 2 * ProcessInfo.processInfo.activeProcessorCount)
    }

    @Test(arguments: [
        ("http://127.0.0.1:9099", ["localhost"]), ("http://localhost:9099", ["localhost"]), ("https://id.example", []),
    ])
    func `pages of this machine may sign in where the broker is on it`(publicURL: String, domains: [String]) throws {
        let configuration = try Self.load(publicURL: publicURL, database: ["path": "broker.sqlite"])
        #expect(configuration.project.authorizedDomains == domains)
    }

    @Test(arguments: [["url": "postgresql://localhost/first"], ["path": "first.sqlite"]] as [JSONValue])
    func `a variable names the whole database, whatever the file has`(database: JSONValue) throws {
        func location(_ variable: String) throws -> DatabaseLocation {
            try Self.load(
                publicURL: "https://id.example", database: database, environment: ["BROKER_DATABASE": variable]
            ).database
        }
        guard case .sqlite(let path) = try location("/srv/second.sqlite"),
            case .postgreSQL(let url, _) = try location("postgresql://localhost/second")
        else {
            Issue.record("the variable does not count")
            return
        }

        #expect(path == "/srv/second.sqlite")
        #expect(url.reveal() == "postgresql://localhost/second")
    }
}
