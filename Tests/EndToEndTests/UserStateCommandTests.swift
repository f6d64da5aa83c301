import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker users disable, enable and delete", .timeLimit(.minutes(20)))
struct UserStateCommandTests {
    @Test func `a running broker refuses a disabled user from the next request on`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let session = try await broker.session(of: "ada", at: client)

                let disabled = try await broker.document("users", "disable", "ada@example.com")

                #expect(disabled["localId"]?.string == session.localID && disabled["disabled"] == true)
                #expect(try await client.lookup(session.idToken).errorCode == "USER_DISABLED")
                #expect(try await client.refresh(session.refreshToken).errorCode == "USER_DISABLED")
                #expect(try await client.signIn(accessToken: broker.accessToken("ada")).errorCode == "USER_DISABLED")
                let enabled = try await broker.document("users", "enable", session.localID)
                #expect(enabled["disabled"] == nil)
                #expect(try await client.lookup(session.idToken).status == 200)
                #expect(try await client.refresh(session.refreshToken).status == 200)
            }
        }
    }

    @Test func `a running broker has forgotten a deleted user by the next request`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let session = try await broker.session(of: "ada", at: client)

                let unasked = try await broker.command("users", "delete", session.localID, "--json")
                let before = try await client.lookup(session.idToken)
                let deleted = try await broker.document("users", "delete", "ada@example.com", "--yes")

                #expect(unasked.exitCode == 1 && unasked.errorCode == "NOT_CONFIRMED", "\(unasked)")
                #expect(before.status == 200)
                #expect(deleted["deleted"]?["localId"]?.string == session.localID)
                #expect(try await client.lookup(session.idToken).errorCode == "USER_NOT_FOUND")
                #expect(try await client.refresh(session.refreshToken).errorCode == "INVALID_REFRESH_TOKEN")
                #expect(try await broker.document("users", "list")["users"] == [])
            }
        }
    }

    @Test(arguments: [["disable"], ["enable"], ["delete", "--yes"]])
    func `an unknown user is exit code 1`(arguments: [String]) async throws {
        try await Installation.run { broker in
            let result = try await CommandResult.broker(
                ["users"] + arguments + ["nobody@example.com", "--json"], in: broker.folder)

            #expect(result.exitCode == 1 && result.errorCode == "USER_NOT_FOUND", "\(result)")
        }
    }
}
