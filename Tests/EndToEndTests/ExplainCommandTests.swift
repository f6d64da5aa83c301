import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker explain", .timeLimit(.minutes(20)))
struct ExplainCommandTests {
    @Test func `a user's decisions are listed with rule, evidence and result, newest first, also by the request's id`()
        async throws
    {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let session = try await broker.session(of: "ada", at: client)
                let again = try await client.signIn(accessToken: try broker.accessToken("ada"))
                let requestID = try #require(again.headers.first(name: "X-Request-Id"))

                let byUser = try await broker.document("explain", "ada@example.com")["decisions"]?.array ?? []
                let latest = try await broker.document("explain", session.localID, "--limit", "1")["decisions"]?.array
                let byRequest = try await broker.document("explain", requestID)["decisions"]?.array

                #expect(byUser.map { $0["rule"] } == ["S1", "S5"])
                #expect(byUser.allSatisfy { $0["result"] == "signed-in" && $0["provider"] == "github.com" })
                #expect(byUser.allSatisfy { $0["evidence"]?["emailVerified"] == true && $0["at"]?.string != nil })
                #expect(byUser.first?["requestId"]?.string == requestID)
                #expect(latest == Array(byUser.prefix(1)) && byRequest == latest)
                _ = try await broker.document("users", "delete", session.localID, "--yes")
                let gone = try await broker.document("explain", session.localID)["decisions"]?.array
                #expect(gone == byUser, "decisions outlive their user")
            }
        }
    }

    @Test func `a name nothing is known by is exit code 1`() async throws {
        try await Installation.run { broker in
            let result = try await broker.command("explain", randomText(), "--json")

            #expect(result.exitCode == 1 && result.errorCode == "NOTHING_KNOWN", "\(result)")
        }
    }
}
