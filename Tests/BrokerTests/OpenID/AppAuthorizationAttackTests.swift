import BrokerStore
import Foundation
import Generic
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("Attacks on a sign-in through a provider's app")
struct AppAuthorizationAttackTests {
    /// The refusal of an answer that is not this attempt's. It uses nothing up.
    private static func expectRefused(_ answer: Answer, _ comment: Comment? = nil) {
        #expect(answer.oauthError == "invalid_grant" && answer.refusal == "INVALID_IDP_RESPONSE", "\(answer.text)")
        #expect(answer["access_token"] == nil && answer["pending_token"] == nil, comment)
    }

    @Test func `a leaked code is worth nothing without the handle`() async throws {
        try await AppAuthorization.run { _, providers, native in
            let attempt = try await AppAuthorization.begin(native, providers)

            Self.expectRefused(try await attempt.finish(handle: RandomText.secret()))
            Self.expectRefused(try await attempt.finish(handle: attempt.state))
            let bare = try await attempt.finish(["subject_token": nil])
            #expect(bare.oauthError == "invalid_request", "\(bare.text)")
            let code = try #require(attempt.redirect.split(separator: "code=").last?.prefix { $0 != "&" })
            let asCredential = try await native.exchange([
                ("code", String(code)), ("providerId", "1pass.dev"), ("redirect_uri", AppAuthorization.redirectURI),
                ("code_verifier", RandomText.secret()),
            ])
            #expect(asCredential.status == 400 && asCredential["access_token"] == nil, "\(asCredential.text)")
        }
    }

    @Test func `a handle of another app is refused, also where both have the redirect URI`() async throws {
        try await AppAuthorization.run { broker, providers, native in
            let thief = try await AppAuthorization.app(at: broker, AppAuthorization.redirectURI)
            let attempt = try await AppAuthorization.begin(native, providers)

            Self.expectRefused(try await attempt.finish(by: thief))
            #expect(try await attempt.finish().status == 200)
        }
    }

    @Test func `a swapped state is refused: the answer of one attempt with the handle of another`() async throws {
        try await AppAuthorization.run { _, providers, native in
            // The attacker's own answer, brought into the victim's app: login CSRF and code injection.
            let attackers = try await AppAuthorization.begin(native, providers, as: "cleo")
            let victims = try await AppAuthorization.begin(native, providers)

            Self.expectRefused(try await attackers.finish(handle: victims.handle))
            Self.expectRefused(try await victims.finish(handle: attackers.handle))
            Self.expectRefused(
                try await victims.finish { $0.replacingOccurrences(of: victims.state, with: attackers.state) })
            #expect(try await victims.finish().status == 200)
        }
    }

    @Test(arguments: [
        (AppAuthorization.redirectURI + "?", "com.example.app:/other?"),
        (AppAuthorization.redirectURI + "?", "com.example.app:/1pass/?"),
        (AppAuthorization.redirectURI + "?", "com.example.evil:/1pass?"),
        (AppAuthorization.redirectURI + "?", "COM.example.app:/1pass?"),
        (AppAuthorization.redirectURI + "?", "https://com.example.app/1pass?"),
        ("state=", "state=x"), ("code=", "code=1&code="), ("state=", "state=1&state="),
        ("state=", "iss=https%3A%2F%2Fevil.example&state="), ("code=", "code=%00"), ("?", "?x=%ff&"), ("?", " ?"),
    ])
    func `an answer that came another way is refused and uses nothing up`(part: String, other: String) async throws {
        try await AppAuthorization.run { _, providers, native in
            let attempt = try await AppAuthorization.begin(native, providers)
            try #require(attempt.redirect.contains(part))

            let spoiled = try await attempt.finish { $0.replacing(part, with: other, maxReplacements: 1) }

            #expect(spoiled.status == 400 && spoiled["access_token"] == nil, "\(spoiled.text)")
            if other != "code=%00" { #expect(try await attempt.finish().status == 200) }
        }
    }

    @Test func `the provider's issuer is checked where the answer names it`() async throws {
        try await AppAuthorization.run { _, providers, native in
            providers.onePass.behaviour.namesIssuerInResponses = true
            let attempt = try await AppAuthorization.begin(native, providers)
            try #require(attempt.redirect.contains("iss="))
            let issuer = try #require(attempt.redirect.firstRange(of: "iss="))

            Self.expectRefused(
                try await attempt.finish { $0.replacingOccurrences(of: "iss=http", with: "iss=https") },
                "\(issuer)")
            Self.expectRefused(
                try await attempt.finish { redirect in
                    redirect.replacingOccurrences(
                        of: FormEncoding.encode(providers.onePass.url), with: FormEncoding.encode(providers.gitLab.url))
                })
            #expect(try await attempt.finish().status == 200)
        }
    }

    @Test func `a provider that promises its issuer is refused without it, for an app's client too`() async throws {
        let clock = TestClock()
        for (parameter, isTaken) in [
            (OpenIDSimulator.IssuerParameter.right, true), (.missing, false), (.other("https://evil.example"), false),
        ] {
            let provider = try await OpenIDSimulator.start(.init(clock: .stopped(at: clock.now)))
            try await TestBroker.run(
                plugins: [.oidc],
                entries: { _ in
                    [
                        [
                            "id": "oidc.acme", "use": "oidc", "allowInsecureLoopback": true,
                            "appRedirects": [["redirectUri": "com.example.app:/acme", "clientId": "acme-app"]],
                            "options": [
                                "issuer": .string(provider.url), "audiences": ["acme-app"],
                                "clientId": .string(provider.defaultApplication.clientID),
                                "clientSecret": .string(provider.defaultApplication.clientSecret ?? ""),
                            ],
                        ]
                    ]
                }, clock: clock
            ) { broker in
                provider.register(
                    .init(
                        clientID: "acme-app", authentication: OpenIDSimulator.Application.Authentication.none,
                        redirectURIs: ["com.example.app:/acme"]))
                provider.issuerParameter = parameter
                let native = try await AppAuthorization.app(at: broker, "com.example.app:/acme")
                let started = try await AppAuthorization.start(
                    native, ["provider": "oidc.acme", "redirect_uri": "com.example.app:/acme"])
                let back = try await ProviderRedirect.take(
                    to: started.string("authorization_uri"), as: "ada@example.com")
                let attempt = AppAuthorization(native: native, started: started, redirect: back.url)

                let answer = try await attempt.finish()

                if isTaken {
                    #expect(answer.status == 200, "\(answer.text)")
                } else {
                    Self.expectRefused(answer, "\(parameter)")
                }
            }
            await provider.stop()
        }
    }

    @Test func `an app's answer is refused at the broker's own callback and at Identity Toolkit`() async throws {
        try await AppAuthorization.run { broker, providers, native in
            let attempt = try await AppAuthorization.begin(native, providers)
            let query = attempt.redirect.drop { $0 != "?" }

            let callback = try await broker.get("/oauth/callback/1pass.dev" + query)
            let toolkit = try await broker.post(
                "/v1/accounts:signInWithIdp",
                ["requestUri": .string(attempt.redirect), "sessionId": .string(attempt.handle)])

            #expect(callback.status == 400, "\(callback.text)")
            #expect(toolkit.code == "INVALID_IDP_RESPONSE" && toolkit["idToken"] == nil, "\(toolkit.text)")
            #expect(try await attempt.finish().status == 200)
        }
    }

    @Test func `an answer to the broker's own callback is refused for an app`() async throws {
        try await AppAuthorization.run { broker, providers, native in
            let redirects = broker.core.redirects
            let callback = ConfiguredProvider.callbackURL(of: "1pass.dev", at: broker.core.providers.publicURL)
            providers.allow(callback)
            let handle = RandomText.secret()
            for redirectURI in [callback, AppAuthorization.redirectURI] {
                let started = try await redirects.startRedirect(
                    RedirectRequest(provider: "1pass.dev", redirectURI: redirectURI), .browser,
                    binding: AppSignInState.binding(handle: handle, clientID: native.app.client.id),
                    payload: Interaction(.signIn, then: .account))
                let back = providers.onePass.openUniversalLink(
                    started.authorizationURL,
                    deciding: .approve(try #require(providers.onePass.person(named: "ada"))))
                let answer = try await native.exchange(
                    [],
                    [
                        "subject_token": handle, "subject_token_type": AppAuthorization.subjectType,
                        "authorization_response": try #require(back),
                    ])
                Self.expectRefused(answer)
            }
        }
    }

    @Test func `a redirect URI is taken only where entry and client have it, and never the broker's own`() async throws
    {
        try await AppAuthorization.run { broker, _, native in
            let callback = ConfiguredProvider.callbackURL(of: "1pass.dev", at: broker.core.providers.publicURL)
            for (redirectURI, code) in [
                (callback, "redirect_uri"), ("com.example.other:/1pass", "redirect_uri"),
                ("com.example.app:/1pass/", "redirect_uri"), ("com.example.app:/1pass?x=1", "redirect_uri"),
                (OAuthApp.redirectURI, "OPERATION_NOT_ALLOWED"),
            ] {
                let answer = try await AppAuthorization.start(native, ["redirect_uri": redirectURI])
                #expect(answer.status == 400 && answer.refusal == code, "\(redirectURI) \(answer.text)")
            }
        }
    }

    @Test func `only native apps of the operator's own begin one`() async throws {
        try await AppAuthorization.run { broker, _, _ in
            let apps = [
                try await AppAuthorization.app(at: broker, AppAuthorization.redirectURI, isFirstParty: false),
                NativeApp(app: try await OAuthApp(at: broker, .public, isFirstParty: true)),
                NativeApp(app: try await OAuthApp(at: broker, .confidential, isFirstParty: true)),
            ]
            for app in apps {
                let answer = try await AppAuthorization.start(app)
                #expect(answer.oauthError == "unauthorized_client", "\(answer.text)")
            }
        }
    }

    @Test func `a provider that checks no PKCE verifier answers no app`() async throws {
        let redirectURI = "com.example.app:/github"
        let gitHub = try await GitHubSimulator.start(.init(checksCodeChallenge: false))
        try await TestBroker.run(entries: { _ in
            var entry = TestBroker.gitHub(gitHub).object ?? [:]
            entry["appRedirects"] = [["redirectUri": .string(redirectURI)]]
            return [.object(entry)]
        }) { broker in
            let native = try await AppAuthorization.app(at: broker, redirectURI)

            let answer = try await AppAuthorization.start(
                native, ["provider": "github.com", "redirect_uri": redirectURI])

            #expect(answer.refusal == "OPERATION_NOT_ALLOWED" && answer.text.contains("PKCE"), "\(answer.text)")
        }
        await gitHub.stop()
    }

    @Test func `the user who began a link is the only one who finishes it`() async throws {
        try await AppAuthorization.run { _, providers, native in
            let attacker = try await native.signIn(providers.person(at: "github.com", email: "eve@example.com"))
            let victim = try await native.signIn(providers.person(at: "gitlab.com", email: "ann@example.com"))
            let link = try await AppAuthorization.begin(native, providers, actor: attacker)

            Self.expectRefused(try await link.finish(actor: victim))
            Self.expectRefused(try await link.finish())
            #expect(try await link.finish(actor: attacker).status == 200)
            #expect(try await native.get("", victim).providerIDs == ["gitlab.com"])
        }
    }

    @Test func `an actor token of another app begins nothing`() async throws {
        try await AppAuthorization.run { broker, providers, native in
            let other = try await AppAuthorization.app(at: broker, "com.example.app:/callback")
            let ann = try await other.signIn(providers.person(at: "github.com", email: "ann@example.com"))

            let answer = try await AppAuthorization.start(native, actor: ann)

            #expect(answer.oauthError == "invalid_grant" && answer["handle"] == nil, "\(answer.text)")
        }
    }

    @Test func `ten minutes are all there is`() async throws {
        try await AppAuthorization.run { broker, providers, native in
            let attempt = try await AppAuthorization.begin(native, providers)
            broker.clock.advance(seconds: 601)

            Self.expectRefused(try await attempt.finish())
        }
    }

    @Test func `the store has hashes of the handle and the state, and the rest sealed`() async throws {
        try await AppAuthorization.run { broker, providers, native in
            let attempt = try await AppAuthorization.begin(native, providers)

            let row = try #require(
                try await broker.core.store.read {
                    try $0.signInAttempt(
                        stateHash: RandomText.hash(of: attempt.state), at: Timestamp(broker.clock.now))
                })

            let sealed = String(decoding: row.sealedRequest, as: UTF8.self)
            #expect(!sealed.contains(AppAuthorization.redirectURI) && !sealed.contains(attempt.handle))
            let binding = AppSignInState.binding(handle: attempt.handle, clientID: native.app.client.id)
            #expect(row.bindingHash == RandomText.hash(of: binding))
            #expect(row.expiresAt == row.createdAt.advanced(by: .seconds(600)))
        }
    }
}
