import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker sessions", .timeLimit(.minutes(20)))
struct SessionsCommandTests {
    @Test func `a revoked session is invalid in a running broker at once, the other stays valid`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let first = try await broker.session(of: "ada", at: client)
                let second = try await broker.session(of: "ada", at: client)
                let listed = try await broker.document("sessions", "list", "ada@example.com")["sessions"]?.array
                let id = try #require(listed?.last?["id"]?.string)

                let revoked = try await broker.document("sessions", "revoke", id)

                #expect(listed?.map { $0["state"] } == ["live", "live"])
                #expect(listed?.first?["provider"] == "github.com" && listed?.first?["app"] == "my-app")
                #expect(revoked["revoked"] == 1)
                #expect(try await client.lookup(first.idToken).errorCode == "TOKEN_EXPIRED")
                #expect(try await client.refresh(first.refreshToken).errorCode == "TOKEN_EXPIRED")
                #expect(try await client.refresh(second.refreshToken).status == 200)
                let left = try await broker.document("sessions", "list", first.localID)["sessions"]?.array
                let all = try await broker.document("sessions", "list", first.localID, "--all")["sessions"]?.array
                #expect(left?.count == 1 && left?.first?["id"]?.string != id)
                #expect(all?.map { $0["state"] } == ["live", "revoked"])
                #expect(all?.last?["revokedReason"]?.string != nil)
            }
        }
    }

    @Test func `all of a user's sessions are invalid at once, and a new sign-in is valid`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let sessions = [
                    try await broker.session(of: "ada", at: client), try await broker.session(of: "ada", at: client),
                ]

                let revoked = try await broker.document(
                    "sessions", "revoke", "--user", "ada@example.com", "--all", "--yes")
                let again = try await broker.session(of: "ada", at: client)

                #expect(revoked["revoked"] == 2)
                for session in sessions {
                    #expect(try await client.lookup(session.idToken).errorCode == "TOKEN_EXPIRED")
                    #expect(try await client.refresh(session.refreshToken).errorCode == "TOKEN_EXPIRED")
                }
                #expect(try await client.lookup(again.idToken).status == 200)
            }
        }
    }

    @Test func `an unknown session and missing arguments have different exit codes`() async throws {
        try await Installation.run { broker in
            let unknown = try await broker.command("sessions", "revoke", randomText(22), "--json")
            let nobody = try await broker.command("sessions", "list", "nobody@example.com", "--json")

            #expect(unknown.exitCode == 1 && unknown.errorCode == "SESSION_NOT_FOUND", "\(unknown)")
            #expect(nobody.exitCode == 1 && nobody.errorCode == "USER_NOT_FOUND", "\(nobody)")
            for arguments in [[], ["--user", "ann"], ["--all"], ["id", "--user", "ann", "--all"]] {
                let result = try await CommandResult.broker(["sessions", "revoke"] + arguments, in: broker.folder)
                #expect(result.exitCode == 64, "\(arguments) \(result)")
            }
        }
    }
}
