import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker unlink", .timeLimit(.minutes(20)))
struct UnlinkCommandTests {
    @Test func `the last way to sign in stays unless the admin insists`() async throws {
        try await Installation.run { broker in
            let token = try broker.accessToken("ada")
            let ada = try await broker.document("link", "--provider", "github", input: token)
            let localID = try #require(ada["user"]?["localId"]?.string)

            let kept = try await broker.command("unlink", "--provider", "github", "--user", localID, "--yes", "--json")
            let before = try await broker.document("users", "show", localID)
            let gone = try await broker.document(
                "unlink", "--provider", "github", "--user", localID, "--force", "--yes")
            let twice = try await broker.command(
                "unlink", "--provider", "github", "--user", localID, "--force", "--yes", "--json")

            #expect(kept.exitCode == 1 && kept.errorCode == "LAST_SIGN_IN_METHOD", "\(kept)")
            #expect(before["providerUserInfo"]?.array?.count == 1)
            #expect(gone["localId"]?.string == localID && gone["providerUserInfo"] == nil)
            #expect(twice.exitCode == 1 && twice.errorCode == "NO_SUCH_PROVIDER", "\(twice)")
            let again = try await broker.document("link", "--provider", "github", input: token)
            let other = try #require(again["user"]?["localId"]?.string, "nothing proves the address: \(again)")
            #expect(other != localID)
        }
    }

    @Test func `unknown names have different errors`() async throws {
        try await Installation.run { broker in
            _ = try await broker.document("link", "--provider", "github", input: try broker.accessToken("ada"))

            let provider = try await broker.command(
                "unlink", "--provider", "gitlab", "--user", "ada@example.com", "--yes", "--json")
            let user = try await broker.command(
                "unlink", "--provider", "github", "--user", "nobody@example.com", "--yes", "--json")

            #expect(provider.exitCode == 64 && provider.errorCode == "UNKNOWN_PROVIDER", "\(provider)")
            #expect(user.exitCode == 1 && user.errorCode == "USER_NOT_FOUND", "\(user)")
        }
    }
}
