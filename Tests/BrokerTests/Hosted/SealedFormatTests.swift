import BrokerStore
import Foundation
import JOSE
import OAuth
import ProviderKit
import Testing

@testable import Broker

/// Rows and forms that another version of the broker sealed, as they occur during a rolling upgrade.
@Suite("Sign-ins that another version of the broker began")
struct SealedFormatTests {
    private static func masterKey(of broker: TestBroker) throws -> MasterKey {
        try MasterKey.load(broker.core.configuration, environment: [:])
    }

    private static func label(_ state: String, _ column: String) -> [String] {
        ["sign_in_attempts", column, Base64URL.encode(RandomText.hash(of: state))]
    }

    @Test func `a row of the first version is refused, and the page says to start again`() async throws {
        try await TestProviders.runHosted { broker, _ in
            let browser = TestBrowser(broker)
            _ = try await browser.visit("/sign-in")
            let (state, binding) = (RandomText.secret(), RandomText.secret())
            let content: JSONValue = [
                "codeVerifier": .string(RandomText.secret()),
                "redirectURI": "http://127.0.0.1/oauth/callback/github.com", "promisesIssuer": false,
                "request": #"{"intent":"signIn","continuation":{"account":{}},"language":"en"}"#,
            ]
            let sealed = try Sealer(Self.masterKey(of: broker), for: .signInAttempts)
                .seal(Array(content.serialized().utf8), row: Self.label(state, "request"))
            let now = Timestamp(broker.clock.now)
            try await broker.core.store.write(at: now) { transaction in
                try transaction.insert(
                    SignInAttemptRow(
                        key: transaction.nextKey(), stateHash: RandomText.hash(of: state), purpose: "browser",
                        provider: "github.com", bindingHash: RandomText.hash(of: binding), sealedRequest: sealed,
                        createdAt: now, expiresAt: now.advanced(by: .seconds(600))))
            }
            let name = StartedBrowserSignIn.cookieName(stateHash: RandomText.hash(of: state))
            browser.cookies[name] = binding

            let page = try await browser.visit("/oauth/callback/github.com?code=1&state=\(state)")

            #expect(page.status == 400 && page.html.contains("This sign-in has ended"), "\(page.html)")
            #expect(page.html.contains("Start again in the app") && browser.sessionID == nil)
        }
    }

    @Test func `a row of this version does not open as one of the first version`() async throws {
        try await TestProviders.runHosted { broker, _ in
            var request = RedirectRequest(
                provider: "github.com", redirectURI: "http://127.0.0.1/oauth/callback/github.com")
            request.loginHint = "ada"
            let started = try await broker.core.redirects.startRedirect(
                request, .browser, binding: "binding", payload: Interaction(.signIn, then: .account))
            let hash = RandomText.hash(of: started.state)
            let now = Timestamp(broker.clock.now)
            let row = try #require(try await broker.core.store.read { try $0.signInAttempt(stateHash: hash, at: now) })
            let sealer = Sealer(try Self.masterKey(of: broker), for: .signInAttempts)

            #expect(throws: SealError.self) {
                try sealer.open(row.sealedRequest, row: Self.label(started.state, "request"))
            }
        }
    }

    @Test func `a form of the first version is refused`() async throws {
        try await TestProviders.runHosted { broker, _ in
            let browser = TestBrowser(broker)
            _ = try await browser.visit("/sign-in")
            let cookie = try #require(browser.cookies.first { $0.key.hasPrefix("broker-browser") }?.value)
            let expires = Timestamp(broker.clock.now).advanced(by: .seconds(600)).milliseconds
            let content: JSONValue = [
                "expiresAt": .integer(expires),
                "payload": #"{"provider":"github.com","request":{"intent":"signIn","continuation":{"account":{}}}}"#,
            ]
            let sealed = try Sealer(Self.masterKey(of: broker), for: .forms)
                .seal(Array(content.serialized().utf8), row: ["form", "depart", cookie])

            let page = try await browser.visit("/depart?form=" + Base64URL.encode(sealed))

            #expect(page.status == 400 && page.html.contains("This sign-in has ended"), "\(page.html)")
        }
    }
}
