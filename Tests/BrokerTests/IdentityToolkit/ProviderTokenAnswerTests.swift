import Broker
import ProviderKit
import ProviderSimulators
import Testing

@Suite("a provider's tokens in the answer to an app")
struct ProviderTokenAnswerTests {
    /// The answer to a sign-in with a code that the broker exchanges.
    private static func exchanged(
        _ change: @escaping (inout Configuration) -> Void = { _ in }
    ) async throws -> Answer {
        try await TestProviders.run(change) { broker, providers in
            try await broker.signInWithCode(providers.gitLab.people()[0], at: providers.gitLab)
        }
    }

    @Test func `what the broker has exchanged stays at the broker`() async throws {
        let answer = try await Self.exchanged()

        #expect(answer.status == 200 && answer["oauthAccessToken"] == nil && answer["oauthIdToken"] == nil)
        #expect(answer["pendingToken"] != nil)
    }

    @Test func `an app gets it by its API key, or by the policy`() async throws {
        let byKey = try await Self.exchanged { $0.apiKeys[0].providerTokens = .client }
        let byPolicy = try await Self.exchanged { $0.policy = .firebase }
        let neither = try await Self.exchanged {
            $0.policy = .firebase
            $0.apiKeys[0].providerTokens = .server
        }

        #expect(byKey["oauthAccessToken"] != nil && byKey["oauthIdToken"] != nil, "\(byKey.text)")
        #expect(byPolicy["oauthAccessToken"] != nil, "\(byPolicy.text)")
        #expect(neither.status == 200 && neither["oauthAccessToken"] == nil)
    }

    @Test func `a token that the app sent comes back, also from behind a pending token`() async throws {
        try await TestProviders.run { broker, providers in
            let holder = try await broker.signIn(providers.person(at: "github.com", email: "ada@example.com"))
            let person = try providers.person(at: "gitlab.com", email: "ada@example.com")
            let sent = person.credential()

            let taken = try await broker.signIn(postBody: sent)
            let linked = try await broker.usePending(
                taken.string("pendingToken"), idToken: holder.string("idToken"))

            #expect(taken["needConfirmation"] == true, "\(taken.text)")
            #expect(taken["oauthAccessToken"]?.string == sent[0].1)
            #expect(linked["oauthAccessToken"]?.string == sent[0].1, "\(linked.text)")
        }
    }
}
