import BrokerStore
import Testing

@testable import Broker

@Suite("What follows a step of an interaction")
struct InteractionDecisionTests {
    private static func request(
        _ prompts: [AuthorizationRequest.Prompt] = [], provider: String? = nil
    ) -> AuthorizationRequest {
        AuthorizationRequest(
            clientID: "c1", redirectURI: "https://app.example/back", scopes: ["openid"], state: nil, nonce: nil,
            codeChallenge: nil, prompts: prompts, maxAge: nil, loginHint: nil, provider: provider, expectedUser: nil,
            askedAt: 0, pushedAs: nil)
    }

    private static func decision(_ interaction: Interaction) -> InteractionDecision {
        InteractionDecision(
            interaction: interaction, session: nil, requiresConsent: false, providers: .none,
            recentLogin: RecentLogin(policy: .strict), now: Timestamp(milliseconds: 0), requestID: "r1")
    }

    private static func next(_ result: StepResult, for request: AuthorizationRequest) -> NextStep {
        decision(Interaction(.signIn, then: .authorize(request))).next(after: result)
    }

    private static func code(_ next: NextStep) -> OAuthError.Code? {
        if case .refuse(let refusal, _) = next { refusal.code } else { nil }
    }

    @Test func `a valid request without a session leads to the chooser`() {
        guard
            case .show(.chooser(let interaction, nil, providers: nil)) = Self.next(
                .requestValidated(Self.request()), for: Self.request())
        else {
            Issue.record("no chooser")
            return
        }
        #expect(interaction.goal == .signIn && interaction.isForClient)
    }

    @Test func `a request that names a provider is redirected to it`() {
        let request = Self.request(provider: "gitlab.com")
        guard case .redirectToProvider(let interaction) = Self.next(.requestValidated(request), for: request) else {
            Issue.record("no redirect")
            return
        }
        #expect(interaction.provider == "gitlab.com")
    }

    @Test func `prompt=none without a session is refused`() {
        let request = Self.request([.none])

        #expect(Self.code(Self.next(.requestValidated(request), for: request)) == .loginRequired)
    }

    @Test func `a cancelled sign-in returns to the chooser, unless the client named the provider`() {
        let choice = Self.next(.finished(.failed(.cancelledAtProvider)), for: Self.request())
        guard case .show(.chooser(_, .cancelled?, providers: nil)) = choice else {
            Issue.record("no chooser: \(choice)")
            return
        }
        let named = Self.next(.finished(.failed(.cancelledAtProvider)), for: Self.request(provider: "gitlab.com"))
        #expect(Self.code(named) == .accessDenied)
    }

    @Test func `a provider that the client named and the broker does not know is an invalid request`() {
        let request = Self.request(provider: "nowhere")

        #expect(Self.code(Self.next(.redirectFailed(.unknownProvider("nowhere")), for: request)) == .invalidRequest)
        #expect(Self.code(Self.next(.finished(.failed(.unknownProvider("nowhere"))), for: request)) == .serverError)
    }

    @Test func `a link of another session is not followed`() {
        var interaction = Interaction(.link, then: .account)
        interaction.provider = "gitlab.com"
        interaction.sessionID = "another"

        guard case .showProblem(.otherBrowser, _) = Self.decision(interaction).next(after: .providerChosen) else {
            Issue.record("the link was followed")
            return
        }
    }

    @Test func `a user who declines returns to the client with access_denied`() {
        var interaction = Interaction(.signIn, then: .authorize(Self.request()))
        interaction.choice = .decline

        let next = Self.decision(interaction).next(after: .answered(isConfirmed: false))

        #expect(Self.code(next) == .accessDenied)
    }
}
