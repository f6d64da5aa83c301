import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker reauth", .timeLimit(.minutes(20)))
struct ReauthCommandTests {
    @Test func `the user's own credential is exit code 0, another user's 1, and no user changes`() async throws {
        try await Installation.run { broker in
            let ada = try await broker.document("link", "--provider", "github", input: try broker.accessToken("ada"))
            let localID = try #require(ada["user"]?["localId"]?.string)
            let before = try await broker.document("users", "list")

            let own = try await broker.document(
                "reauth", "--provider", "github", "--user", "ada@example.com", input: try broker.accessToken("ada"))
            let others = try await broker.document(
                "reauth", "--provider", "github", "--user", localID, input: try broker.accessToken("ben"), exitCode: 1)

            #expect(own["matches"] == true && own["localId"]?.string == localID)
            #expect(own["subject"]?.string == String(try broker.person("ada").id))
            #expect(others["matches"] == false && others["localId"] == nil)
            #expect(others["email"] == "ben@example.com")
            #expect(try await broker.document("users", "list") == before)
        }
    }

    @Test func `a credential that GitHub does not know is refused and never printed`() async throws {
        try await Installation.run { broker in
            _ = try await broker.document("link", "--provider", "github", input: try broker.accessToken("ada"))
            let token = "gho_\(randomText(36))"

            let result = try await broker.command(
                "reauth", "--provider", "github", "--user", "ada@example.com", "--json", input: token)

            #expect(result.exitCode == 1 && result.errorCode == "INVALID_IDP_RESPONSE", "\(result)")
            #expect(!result.everything.contains(token))
        }
    }
}
