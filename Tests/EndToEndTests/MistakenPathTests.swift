import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("Files and databases that are not what they should be", .timeLimit(.minutes(20)))
struct MistakenPathTests {
    private static func change(_ broker: Installation, _ change: (inout JSONObject) -> Void) throws {
        var configuration = try #require(try JSONValue(parsing: try broker.folder.text(of: "broker.json")).object)
        change(&configuration)
        try broker.folder.write(JSONValue.object(configuration).serialized(), to: "broker.json")
    }

    @Test func `a mistyped path of the database makes no folders`() async throws {
        try await Installation.run(isNew: true, engine: .sqlite) { broker in
            let path = broker.folder.file("vra/lib/broker/broker.sqlite")
            try Self.change(broker) { $0["database"] = ["path": .string(path)] }

            let refusal = try await broker.refusal()
            let list = try await broker.command("users", "list")

            #expect(refusal.errors.contains("vra/lib/broker") && refusal.errors.contains("database.path"), "\(refusal)")
            #expect(list.exitCode == 78, "\(list)")
            #expect(try !broker.folder.names().contains("vra"))
        }
    }

    @Test(arguments: [false, true])
    func `a store of another project is refused, and stays as it is`(isRestarted: Bool) async throws {
        try await Installation.run(isNew: true, engine: .sqlite) { broker in
            _ = try await broker.serve { _, client in try await broker.session(of: "ada", at: client) }
            try Self.change(broker) {
                $0["project"] = ["id": "other-app", "number": "123456789012", "authorizedDomains": []]
            }

            let result = isRestarted ? try await broker.refusal() : try await broker.command("users", "list", "--json")

            #expect(result.exitCode == 78 && result.errorCode == "CONFIGURATION", "\(result)")
            #expect(result.errors.contains("my-app") && result.errors.contains("other-app"), "\(result)")
            try Self.change(broker) {
                $0["project"] = ["id": "my-app", "number": "123456789012", "authorizedDomains": []]
            }
            #expect(try await broker.document("users", "list")["users"]?.array?.count == 1)
        }
    }

    @Test(arguments: ["broker.json", "master.key"])
    func `a file that the broker may not read is reported with the user`(file: String) async throws {
        try await Installation.run(isNew: true) { broker in
            // The super user may read every file, so the broker runs as another user.
            let isRoot = geteuid() == 0
            let other = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
            for name in try broker.folder.names() {
                try FileManager.default.setAttributes(
                    [.posixPermissions: name == file ? (isRoot ? 0o600 : 0) : 0o644],
                    ofItemAtPath: broker.folder.file(name))
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: broker.folder.path)

            let result = try await CommandResult.broker(
                ["users", "list", "--json"], through: isRoot ? other : [], in: broker.folder)

            #expect(result.exitCode == 78 && result.errorCode == "CONFIGURATION", "\(result)")
            let uid = isRoot ? 65534 : geteuid()
            #expect(result.errors.contains("\(file)") && result.errors.contains("permission denied"), "\(result)")
            #expect(result.errors.contains("(uid \(uid))") && !result.errors.contains("broker init"), "\(result)")
        }
    }

    @Test func `a missing file is reported`() async throws {
        try await Installation.run(isNew: true) { broker in
            try FileManager.default.removeItem(atPath: broker.folder.file("broker.json"))

            let result = try await broker.command("users", "list")

            #expect(result.exitCode == 78 && result.errors.contains("there is no such file"), "\(result)")
            #expect(result.errors.contains("broker init"), "\(result)")
        }
    }
}
