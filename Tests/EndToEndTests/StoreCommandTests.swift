import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Subprocess
import Testing

@Suite("broker store", .timeLimit(.minutes(20)))
struct StoreCommandTests {
    @Test func `a backup of a broker that serves is whole, holds no secret, and is written without the master key`()
        async throws
    {
        try await Installation.run(anonymousSignIn: true) { broker in
            let secrets = Secrets(broker)
            try await broker.serve { _, client in
                secrets.note(try await broker.session(of: "ada", at: client))
                let key = try broker.folder.text(of: "master.key")
                try FileManager.default.removeItem(atPath: broker.folder.file("master.key"))
                let visitors = Visitors(of: client)
                let backup = try await visitors.during {
                    try await broker.document("store", "backup", "--output", "backup.sqlite")
                }
                let verified = try await broker.document("store", "verify")
                try broker.folder.write(key, to: "master.key")

                #expect(verified["ok"] == true, "\(verified)")
                #expect(try broker.folder.permissions(of: "backup.sqlite") == 0o600)
                let users = backup["tables"]?.array?.first { $0["table"] == "users" }?["rows"]?.integer
                #expect(users ?? 0 > 1 && users ?? 0 <= Int64(visitors.sessions.count) + 1)
                let again = try await broker.command("store", "backup", "--output", "backup.sqlite", "--json")
                #expect(again.exitCode == 1 && again.errorCode == "FILE_EXISTS", "\(again)")
                #expect(again.errors.contains("exists and was not touched: name another file"), "\(again)")
            }
            let file = try Data(contentsOf: URL(filePath: broker.folder.file("backup.sqlite")))
            secrets.expectNone(in: file, "the backup")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `after a restore all users are known and everything issued before is invalid`(engine: TestEngine) async throws
    {
        try await Installation.runBesideSecond(engine) { broker in
            let session = try await broker.serve { _, client in
                let session = try await broker.session(of: "ada", at: client)
                _ = try await broker.document("store", "backup", "--output", "backup.sqlite")
                return session
            }
            let second = ["--config", Installation.secondConfiguration]

            let restored = try await broker.document(
                "store", "restore", "--from", "backup.sqlite", "--yes", second[0], second[1])
            let over = try await broker.document(
                "store", "restore", "--from", "backup.sqlite", "--yes", second[0], second[1], exitCode: 1)

            #expect(restored["tables"]?.array?.first { $0["table"] == "users" }?["rows"] == 1)
            #expect(over["error"]?["code"] == "TARGET_NOT_EMPTY")
            try await broker.serveSecond { _, client in
                #expect(try await client.lookup(session.idToken).errorCode == "INVALID_ID_TOKEN")
                #expect(try await client.refresh(session.refreshToken).errorCode == "TOKEN_EXPIRED")
                let again = try await broker.session(of: "ada", at: client)
                #expect(again.localID == session.localID)
                #expect(try await client.lookup(again.idToken).status == 200)
                #expect(try await client.refresh(again.refreshToken).status == 200)
            }
            let verified = try await broker.document("store", "verify", second[0], second[1])
            #expect(verified["ok"] == true, "\(verified)")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a restore from before an erasure applies the list of erasures, or says so and needs a yes`(
        engine: TestEngine
    ) async throws {
        try await Installation.run(engine: engine) { broker in
            let file = "data-erasures/erasures.jsonl"
            let (ada, ben) = try await broker.serve { _, client in
                let ada = try await broker.session(of: "ada", at: client)
                let ben = try await broker.session(of: "ben", at: client)
                _ = try await broker.document("store", "backup", "--output", "backup.sqlite")
                let deleted = try await client.post("/v1/accounts:delete", ["idToken": .string(ada.idToken)])
                #expect(deleted.status == 200, "\(deleted)")
                if engine == .sqlite {
                    while try await client.get("/healthz").status == 200,
                        (try? broker.folder.text(of: file))?.contains(ada.localID) != true
                    {}
                }
                return (ada, ben)
            }
            let printed = try await broker.command("store", "erasures")
            #expect(printed.output.hasPrefix("{\"localId\":\"\(ada.localID)\",\"at\":\""), "\(printed)")
            #expect(!printed.output.contains(ben.localID))
            if engine == .sqlite { #expect(try broker.folder.text(of: file) == printed.output) }
            try broker.folder.write(printed.output, to: "list.jsonl")
            var configuration = try #require(try JSONValue(parsing: try broker.folder.text(of: "broker.json")).object)
            configuration["database"] = ["path": "second/broker.sqlite"]
            try broker.folder.write(
                JSONValue.object(configuration).serialized(), to: Installation.secondConfiguration)
            let second = ["--config", Installation.secondConfiguration]

            let refused = try await broker.command(
                "store", "restore", "--from", "backup.sqlite", second[0], second[1], "--json")
            let damaged = try await broker.command(
                "store", "restore", "--from", "backup.sqlite", "--erasures", "broker.json", second[0], second[1])
            let restored = try await broker.document(
                "store", "restore", "--from", "backup.sqlite", "--erasures", "list.jsonl", second[0], second[1])

            #expect(refused.exitCode == 1 && refused.errorCode == "NOT_CONFIRMED", "\(refused)")
            #expect(refused.errors.contains("come back without --erasures"), "\(refused)")
            #expect(damaged.exitCode == 78, "\(damaged)")
            #expect(restored["erased"] == 1, "\(restored)")
            try await broker.serveSecond { _, client in
                let known = try await broker.session(of: "ben", at: client)
                let new = try await broker.session(of: "ada", at: client)
                #expect(known.localID == ben.localID && new.localID != ada.localID)
            }
            let audit = try await broker.document("audit", "verify", second[0], second[1])
            #expect(audit["findingCount"] == 0, "\(audit)")
        }
    }

    @Test func `each inconsistent row has a line, and the exit code is 1`() async throws {
        try await Installation.run(engine: .sqlite) { broker in
            let session = try await broker.serve { _, client in try await broker.session(of: "ada", at: client) }
            _ = try await broker.document("store", "backup", "--to", "backup.sqlite")
            let fine = try await broker.command("store", "verify", "--against", "backup.sqlite")
            try await Self.run("UPDATE sessions SET user_key = 1; UPDATE users SET epoch = 4", in: broker)

            let text = try await broker.command("store", "verify", "--against", "backup.sqlite")
            let document = try await broker.document("store", "verify", "--against", "backup.sqlite", exitCode: 1)

            #expect(fine.exitCode == 0 && fine.output.contains("The databases are equal."), "\(fine)")
            #expect(text.exitCode == 1 && !text.output.contains("equal"), "\(text)")
            #expect(text.output.contains("belongs to a row of users that is not there"))
            #expect(text.output.contains("users: differs") && text.output.contains("sessions: differs"))
            #expect(!text.everything.contains(session.localID) && !text.everything.contains("ada"))
            #expect(document["ok"] == false && document["violations"]?.array?.isEmpty == false)
            #expect(document["differing"] == ["users", "sessions"])
        }
    }

    @Test(arguments: [
        ["verify"], ["backup", "--output", "backup.sqlite"], ["verify", "--against", "nothing.sqlite"],
        ["restore", "--from", "nothing.sqlite"],
    ])
    func `where there is no database, none is made`(arguments: [String]) async throws {
        try await Installation.run(isNew: true, engine: .sqlite) { broker in
            let result = try await CommandResult.broker(["store"] + arguments, in: broker.folder)

            #expect(result.exitCode == 1, "\(result)")
            #expect(!(try broker.folder.names().contains { $0.contains("sqlite") || $0 == "data" }))
        }
    }

    /// Lets another program write to the database, without foreign keys.
    private static func run(_ sql: String, in broker: Installation) async throws {
        let script = "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()"
        let result = try await Subprocess.run(
            .name("python3"), arguments: ["-c", script, broker.folder.file("data/broker.sqlite"), sql],
            output: .discarded, error: .string(limit: 4096))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
    }
}
