import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("Another user's provider response")
struct AppSignInAttackTests {
    private static let page = AppSignIn.page

    /// A broker whose GitHub sends users back to the app.
    private static func run(_ test: (TestBroker) async throws -> Void) async throws {
        try await TestBroker.run { broker in
            var application = broker.simulator.defaultApplication
            application.callbackURL = page
            broker.simulator.register(application)
            try await test(broker)
        }
    }

    @Test func `an app with another session id is refused, and the right one still gets through`() async throws {
        try await Self.run { broker in
            let signIn = try await AppSignIn.begin(broker, "github.com", as: "ada@example.com")

            let stolen = try await signIn.finish(sessionID: RandomText.alphanumeric(27))
            let own = try await signIn.finish()

            #expect(stolen.code == "INVALID_IDP_RESPONSE" && stolen["idToken"] == nil)
            #expect(own.status == 200, "\(own.text)")
        }
    }

    @Test func `without a session id it is no sign-in of this broker's`() async throws {
        try await Self.run { broker in
            let signIn = try await AppSignIn.begin(broker, "github.com", as: "ada@example.com")

            let answer = try await signIn.finish(extra: ["sessionId": "", "postBody": "providerId=github.com"])

            #expect(answer.code == "INVALID_IDP_RESPONSE", "\(answer.text)")
        }
    }

    @Test(arguments: [
        ("http://localhost:3000/signed-in?", "http://localhost:3001/signed-in?"),
        ("http://localhost:3000/signed-in?", "http://localhost:3000/other?"),
        ("http://localhost:3000/signed-in?", "http://localhost:3000/signed-in/?"),
        ("http://localhost:3000/signed-in?", "https://localhost:3000/signed-in?"),
        ("http://localhost:3000/signed-in?", "http://evil.example/?"), ("state=", "state=x"),
        ("code=", "code=1&code="), ("state=", "providerId=gitlab.com&state="), ("state=", "iss=https%3A%2F%2Fx&state="),
    ])
    func `an answer that came another way is refused and uses nothing up`(part: String, other: String) async throws {
        try await Self.run { broker in
            let signIn = try await AppSignIn.begin(broker, "github.com", as: "ada@example.com")
            try #require(signIn.redirect.url.contains(part))

            let spoiled = try await signIn.finish { $0.replacingOccurrences(of: part, with: other) }
            let whole = try await signIn.finish()

            #expect(spoiled.code == "INVALID_IDP_RESPONSE", "\(spoiled.text)")
            #expect(whole.status == 200, "\(whole.text)")
        }
    }

    @Test func `an attempt of the hosted pages is not finished by an app`() async throws {
        try await Self.run { broker in
            var request = RedirectRequest(provider: "github.com", redirectURI: Self.page)
            request.loginHint = "ada"
            let secret = RandomText.alphanumeric(27)
            let started = try await broker.core.redirects.startRedirect(
                request, .browser, binding: secret, payload: Interaction(.signIn, then: .account))
            let back = try await ProviderRedirect.take(to: started.authorizationURL, as: "ada@example.com")

            let answer = try await broker.post(
                "/v1/accounts:signInWithIdp", ["requestUri": .string(back.url), "sessionId": .string(secret)])

            #expect(answer.code == "INVALID_IDP_RESPONSE", "\(answer.text)")
        }
    }

    @Test func `ten minutes are all there is`() async throws {
        try await Self.run { broker in
            let signIn = try await AppSignIn.begin(broker, "github.com", as: "ada@example.com")
            broker.clock.advance(seconds: 601)

            #expect(try await signIn.finish().code == "INVALID_IDP_RESPONSE")
        }
    }

    @Test func `only the user who began a link can finish it`() async throws {
        try await Self.run { broker in
            let attacker = try await broker.signUp()
            let victim = try await broker.signUp()
            let signIn = try await AppSignIn.begin(
                broker, "github.com", as: "ada@example.com",
                extra: ["idToken": .string(try attacker.string("idToken"))])

            let byNobody = try await signIn.finish()
            let byVictim = try await signIn.finish(extra: ["idToken": .string(try victim.string("idToken"))])
            let byOwner = try await signIn.finish(extra: ["idToken": .string(try attacker.string("idToken"))])

            #expect(byNobody.code == "INVALID_IDP_RESPONSE" && byVictim.code == "INVALID_IDP_RESPONSE")
            #expect(byOwner.status == 200 && byOwner["localId"] == attacker["localId"], "\(byOwner.text)")
        }
    }

    @Test func `another user's identity is reported with the provider's response, and is not linked`() async throws {
        try await Self.run { broker in
            _ = try await broker.signIn(broker.person("ada"))
            let other = try await broker.signUp()
            let signIn = try await AppSignIn.begin(broker, "github.com", as: "ada@example.com")

            let answer = try await signIn.finish(extra: [
                "idToken": .string(try other.string("idToken")), "returnIdpCredential": true,
            ])

            #expect(answer.status == 200 && answer["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
            #expect(answer["idToken"] == nil && answer["pendingToken"] != nil)
        }
    }

    @Test func `the store's copy of an attempt cannot finish a sign-in`() async throws {
        try await Self.run { broker in
            let signIn = try await AppSignIn.begin(broker, "github.com", as: "ada@example.com")
            let state = try #require(signIn.redirect.parameters["state"])

            let row = try #require(
                try await broker.core.store.read {
                    try $0.signInAttempt(stateHash: RandomText.hash(of: state), at: Timestamp(broker.clock.now))
                })

            let sealed = String(decoding: row.sealedRequest, as: UTF8.self)
            #expect(!sealed.contains(Self.page) && !sealed.contains(signIn.sessionID ?? ""))
            #expect(row.bindingHash == RandomText.hash(of: signIn.sessionID ?? ""))
        }
    }
}
