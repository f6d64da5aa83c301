import Broker
import BrokerStore
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

/// A registered redirect URI whose page forwards its query to another server, as an open redirector does.
@Suite("a code that the app's own page forwards")
struct ForwardedCodeTests {
    /// What the attacker sends with the code, knowing all that the address has and a verifier of its own.
    enum Attempt: CaseIterable {
        case withoutVerifier, withOwnVerifier, withChallenge, withEmptyVerifier
    }

    @Test(arguments: [Client.Kind.public, .confidential], Attempt.allCases)
    func `gives nothing without the verifier, and is burnt`(kind: Client.Kind, attempt: Attempt) async throws {
        try await TestProviders.runHosted { broker, providers in
            let app = try await TestApp(broker, kind: kind)
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            let consent = try await browser.visit(app.path(["provider": "github.com"]))
            let back = try await browser.submit(on: consent, ["person": person.account])
            // The page behind the redirect URI forwards its address.
            let forwarded = try #require(back["code"])

            let answer =
                switch attempt {
                case .withoutVerifier: try await app.redeem(forwarded, withoutVerifier: true)
                case .withOwnVerifier: try await app.another().redeem(forwarded)
                case .withChallenge:
                    try await app.redeem(
                        forwarded, [("code_challenge", CodeChallenge(of: app.verifier).text)], withoutVerifier: true)
                case .withEmptyVerifier: try await app.redeem(forwarded, [("code_verifier", "")], withoutVerifier: true)
                }

            #expect(answer.status == 400 && answer.oauthError == "invalid_grant", "\(answer.text)")
            #expect(answer["access_token"] == nil && answer["id_token"] == nil && answer["refresh_token"] == nil)
            #expect(try await app.redeem(forwarded).oauthError == "invalid_grant")
        }
    }

    @Test func `of a provider's code gives nothing without the session id of the app's attempt`() async throws {
        try await HandlerVisit.run { broker, providers in
            let email = "ann@example.com"
            _ = try providers.person(at: "github.com", email: email)
            let event = try await HandlerVisit(broker).event("signInViaPopup", "github.com", as: email)
            let redeemed = broker.simulator.hits(.accessToken)
            func signIn(_ sessionID: String?) async throws -> Answer {
                var body: JSONObject = ["requestUri": .string(event.urlResponse), "returnSecureToken": true]
                body["sessionId"] = sessionID.map(JSONValue.string)
                body["postBody"] = event.postBody.map(JSONValue.string)
                return try await broker.post("/v1/accounts:signInWithIdp", .object(body))
            }

            let without = try await signIn(nil)
            let other = try await signIn(RandomText.secret())
            let anothers = try await signIn(
                HandlerVisit(broker).event("signInViaPopup", "github.com", as: email).sessionID)

            for answer in [without, other, anothers] {
                #expect(answer.status == 400 && answer["idToken"] == nil, "\(answer.text)")
            }
            #expect(broker.simulator.hits(.accessToken) == redeemed, "the code went to the provider")
        }
    }
}
