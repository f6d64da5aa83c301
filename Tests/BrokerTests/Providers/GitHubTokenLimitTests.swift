import BrokerStore
import Foundation
import GitHub
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

/// GitHub gives a user at most ten tokens for one application and scope list, and deletes the oldest for the eleventh.
@Suite("GitHub's limit of ten tokens")
struct GitHubTokenLimitTests {
    private static let verifier = String(repeating: "v", count: 43)

    /// The tokens that the broker has stored for a user.
    private static func storedGrant(of localID: String, in broker: TestBroker) async throws -> UpstreamGrant {
        let (identity, grant) = try await broker.core.store.read { transaction in
            let user = try #require(try transaction.user(localID: localID))
            let identity = try #require(try transaction.identities(of: user.key).first)
            return (identity, try #require(try transaction.grants(of: user.key).first))
        }
        return try broker.core.stored.vault.open(grant, of: identity)
    }

    @Test func `the stored token is the newest, so that it outlives the limit`() async throws {
        try await TestBroker.run { broker in
            let ada = try broker.person("ada")
            var answer = try await broker.signInWithCode(ada, verifier: Self.verifier)
            for _ in 1...12 {
                broker.clock.advance(seconds: 1)
                answer = try await broker.signInWithCode(ada, verifier: Self.verifier)
            }
            let stored = try await Self.storedGrant(of: try answer.string("localId"), in: broker)

            #expect(answer.status == 200, "\(answer)")
            #expect(broker.simulator.hits(.accessToken) == 13, "one token for each sign-in with a code")
            #expect(broker.simulator.liveTokens(of: ada, application: broker.simulator.defaultApplication) == 10)
            #expect(broker.simulator.isLive(token: stored.accessToken))
        }
    }

    @Test func `only a code makes a token: a presented token, a refresh and a check make none more`() async throws {
        try await TestBroker.run { broker in
            var application = broker.simulator.defaultApplication
            application.kind = .gitHubApp()
            broker.simulator.register(application)
            let ada = try broker.person("ada")
            let answer = try await broker.signInWithCode(ada, verifier: Self.verifier)
            let first = try await Self.storedGrant(of: try answer.string("localId"), in: broker)
            let provider = try #require(broker.core.providers.current.provider("github.com"))
            let refreshing = try #require(provider.provider as? any GrantRefresh)
            let second = try await refreshing.refresh(first)
            _ = try await broker.signIn(postBody: [
                ("access_token", second.accessToken), ("providerId", "github.com"),
            ])
            _ = await provider.check()

            #expect(first.refreshToken != nil && first.expiresAt != nil && second.refreshToken != first.refreshToken)
            #expect(broker.simulator.liveTokens(of: ada, application: application) == 1)
            #expect(!broker.simulator.isLive(token: first.accessToken))
            #expect(broker.simulator.isLive(token: second.accessToken))
        }
    }
}
