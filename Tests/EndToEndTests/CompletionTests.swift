import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("Completion of ids", .timeLimit(.minutes(20)))
struct CompletionTests {
    /// What a shell's script asks the program, with the cursor behind `typed`.
    private static func completed(
        _ command: [String], _ option: String, _ typed: String, with others: [String] = [],
        environment: [String: String] = [:], in folder: TestFolder
    ) async throws -> [String] {
        let words = ["broker"] + command + others + [option, typed]
        let result = try await CommandResult.broker(
            ["---completion"] + command + ["--", option, "\(words.count - 1)", "\(typed.count)"] + words,
            environment: environment, in: folder)
        #expect(result.exitCode == 0 && result.errors.isEmpty, "\(result)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test func `they come from the store, also while a broker uses it`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let ada = try await broker.session(of: "ada", at: client).localID

                let users = try await Self.completed(["reauth"], "--user", "", in: broker.folder)
                let begun = try await Self.completed(["reauth"], "--user", String(ada.prefix(3)), in: broker.folder)
                let others = try await Self.completed(["reauth"], "--user", "~", in: broker.folder)
                let providers = try await Self.completed(["link"], "--provider", "git", in: broker.folder)

                #expect(users == [ada] && begun == [ada] && others == [])
                #expect(providers == ["github.com"])
            }
        }
    }

    @Test func `they come from the remote broker where the command would run there`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let ada = try await broker.session(of: "ada", at: client).localID
                let created = try await broker.document(
                    "admin", "token", "create", "--name", "Laptop", "--scope", "users:read")
                let token = try #require(created["token"]?.string)
                let elsewhere = try TestFolder()

                let users = try await Self.completed(
                    ["audit", "list"], "--user", "", with: ["--server", client.url],
                    environment: ["BROKER_ADMIN_TOKEN": token], in: elsewhere)
                let refused = try await Self.completed(
                    ["audit", "list"], "--user", "", with: ["--server", client.url],
                    environment: ["BROKER_ADMIN_TOKEN": "bat1_wrong"], in: elsewhere)

                #expect(users == [ada] && refused == [])
            }
        }
    }

    @Test func `without a configuration or a database there are none, and nothing is made`() async throws {
        let empty = try TestFolder()
        #expect(try await Self.completed(["reauth"], "--user", "", in: empty) == [])
        #expect(try empty.names() == [])
        try await Installation.run(isNew: true, engine: .sqlite) { broker in
            let before = try broker.folder.names()

            #expect(try await Self.completed(["reauth"], "--user", "", in: broker.folder) == [])
            #expect(try broker.folder.names() == before)
        }
    }
}
