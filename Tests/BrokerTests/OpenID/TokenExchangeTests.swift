import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Signing in by token exchange")
struct TokenExchangeTests {
    @Test func `an ID token of Apple with its nonce, code and name begins a session of the app`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = providers.apple.people()[0]

            let answer = try await native.exchange(providers.nativeCredential(of: person))

            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer["token_type"] == "Bearer" && answer["expires_in"] == 3600)
            #expect(answer["issued_token_type"]?.string == NativeApp.accessTokenType)
            #expect(answer["scope"]?.string == NativeApp.scope && answer["broker"] == nil)
            let claims = try await broker.openIDClaims(answer.string("id_token"), type: "JWT")
            #expect(claims["nonce"] == nil && claims["aud"]?.string == native.app.client.id)
            #expect(claims["name"]?.string == "\(person.givenName ?? "") \(person.familyName ?? "")")
            #expect(claims["amr"] == ["fed"])
            let localID = try #require(claims["sub"]?.string)
            let grants = try await broker.storedGrants(ofUser: localID)
            #expect(grants.map(\.clientID) == [providers.apple.nativeApplication.clientID])
            #expect(try await broker.events(of: localID).contains("session.started"))
            let refreshed = try await native.app.refresh(try answer.string("refresh_token"))
            #expect(refreshed.status == 200 && refreshed["issued_token_type"] == nil)
            #expect(try refreshed.claims()["sub"]?.string == localID)
        }
    }

    @Test(arguments: ["apple.com", "gitlab.com", "1pass.dev"])
    func `every provider with ID tokens signs the same user in on both roads`(provider: String) async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)

            let first = try await native.exchange(providers.idTokenCredential(at: provider, forging: nil))
            let other = try await broker.signIn(postBody: providers.idTokenCredential(at: provider, forging: nil))

            #expect(first.status == 200, "\(first.text)")
            #expect(try first.claims()["sub"] == other["localId"])
        }
    }

    @Test func `without a scope the app gets an ID token and no refresh token`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = try providers.person(at: "apple.com", email: "ann@example.com")

            let answer = try await native.exchange(person.credential(), scope: nil)

            #expect(answer["scope"] == "openid" && answer["id_token"] != nil && answer["refresh_token"] == nil)
            #expect(try answer.claims()["email"] == nil)
        }
    }

    @Test(arguments: [Client.Kind.public, .confidential])
    func `a client of another kind is refused before its credential is looked at`(kind: Client.Kind) async throws {
        try await TestProviders.run { broker, providers in
            let app = try await OAuthApp(at: broker, kind)
            let answer = try await app.post(
                "/oauth/token", [("grant_type", NativeApp.grantType), ("subject_token", "x")])
            #expect(answer.status == 400 && answer.oauthError == "unauthorized_client", "\(answer.text)")
        }
    }

    @Test(
        arguments: [
            (["subject_token": nil], "invalid_request"), (["subject_token_type": nil], "invalid_request"),
            (["subject_token_type": "urn:ietf:params:oauth:token-type:saml2"], "invalid_request"),
            (["provider": nil], "invalid_request"), (["prompt": "link"], "invalid_request"),
            (["actor_token_type": NativeApp.accessTokenType], "invalid_request"),
            (["actor_token": "x"], "invalid_request"),
            (["actor_token": "x", "actor_token_type": "urn:ietf:params:oauth:token-type:jwt"], "invalid_request"),
            (
                ["actor_token": "x", "actor_token_type": NativeApp.accessTokenType, "prompt": "consent"],
                "invalid_request"
            ),
            (["requested_token_type": "urn:ietf:params:oauth:token-type:id_token"], "invalid_request"),
            (["audience": "https://api.example"], "invalid_target"),
            (["resource": "https://a.example"], "invalid_target"),
            (["scope": "admin"], "invalid_scope"),
        ] as [([String: String?], String)])
    func `a request that is not well-formed is refused`(_ changes: [String: String?], _ error: String) async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = try providers.person(at: "apple.com", email: "ann@example.com")

            let answer = try await native.exchange(person.credential(), changes)

            #expect(answer.status == 400 && answer.oauthError == error, "\(answer.text)")
        }
    }

    @Test(
        arguments: [
            (["nonce": nil], "MISSING_OR_INVALID_NONCE"), (["nonce": "another"], "MISSING_OR_INVALID_NONCE"),
            (["subject_token": "a.b.c"], "INVALID_IDP_RESPONSE"), (["user": "[]"], "INVALID_IDP_RESPONSE"),
            (["provider": "github.com"], "INVALID_IDP_RESPONSE"), (["provider": "unknown"], "OPERATION_NOT_ALLOWED"),
        ] as [([String: String?], String)])
    func `what the provider does not verify is refused with its stable code`(
        _ changes: [String: String?], _ code: String
    ) async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = try providers.person(at: "apple.com", email: "ann@example.com")

            let answer = try await native.exchange(person.credential(), changes)

            #expect(answer.status == 400 && answer.oauthError == "invalid_grant", "\(answer.text)")
            #expect(answer.refusal == code, "\(answer.text)")
        }
    }

    @Test func `a provider that does not answer judges nothing, and the same ID token is sent again`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let credential = try providers.person(at: "apple.com", email: "ann@example.com").credential()
            providers.apple.fail(.keys, with: .status(500))

            let refused = try await native.exchange(credential)
            providers.apple.clearFaults()
            let answer = try await native.exchange(credential)

            #expect(refused.status == 503 && refused.oauthError == "temporarily_unavailable", "\(refused.text)")
            #expect(refused.headers.first(name: "Retry-After") == "5")
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test func `a disabled user gets no session, on either road`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = try providers.person(at: "apple.com", email: "ann@example.com")
            let localID = try #require(try await native.signIn(person).claims()["sub"]?.string)
            _ = try await broker.core.accounts.disableUser(localID: localID, origin: Origin(.admin))

            let answer = try await native.exchange(person.credential())

            #expect(answer.oauthError == "invalid_grant" && answer.refusal == "USER_DISABLED", "\(answer.text)")
        }
    }

    @Test(arguments: [true, false])
    func `an ID token that was used on one road is used on the other`(isUsedByExchange: Bool) async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let credential = try providers.idTokenCredential(at: "apple.com", forging: nil)
            let first =
                isUsedByExchange
                ? try await native.exchange(credential) : try await broker.signIn(postBody: credential)
            let repeated = try await native.exchange(credential)
            broker.clock.advance(seconds: 61)

            let late = try await native.exchange(credential)

            #expect(first.status == 200 && repeated.status == 200, "\(repeated.text)")
            #expect(late["error_description"] == "INVALID_IDP_RESPONSE : ID token was already used", "\(late.text)")
        }
    }

    @Test func `an address that another account holds needs its proof first, and the ID token stays good`() async throws
    {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let holder = try await broker.signIn(providers.person(at: "github.com", email: "ann@example.com"))
            let credential = try providers.person(at: "apple.com", email: "ann@example.com").credential()

            let refused = try await native.exchange(credential)
            let user = try #require(try await broker.user(holder.string("localId"))?.user)
            let session = try await native.app.signIn(user, scope: NativeApp.scope)
            broker.clock.advance(seconds: 61)
            let linked = try await native.exchange(credential, actor: session)

            #expect(refused.oauthError == "invalid_grant", "\(refused.text)")
            #expect(
                refused["error_description"]?.string
                    == "NEED_CONFIRMATION : Sign in with github.com first, then link.")
            #expect(refused["providers"] == ["github.com"])
            #expect(linked.status == 200, "\(linked.text)")
            #expect(try await native.get("", session).providerIDs == ["github.com", "apple.com"])
        }
    }

    @Test func `an unproven claim of an address is not told whose it is`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            _ = try await broker.signIn(providers.person(at: "github.com", email: "ann@example.com"))
            let claimant = try providers.person(at: "apple.com", email: "ann@example.com", isVerified: false)
            let other = try await broker.signIn(claimant)

            let answer = try await native.exchange(claimant.credential())

            #expect(other["needConfirmation"] == true && other["verifiedProvider"] == nil, "\(other.text)")
            #expect(answer["error_description"] == "NEED_CONFIRMATION : Sign in as before first, then link.")
            #expect(answer["providers"] == nil)
        }
    }

    @Test func `the provider's token comes along for a client that is registered for it`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker, receivesProviderTokens: true)
            let credential = providers.nativeCredential(of: providers.apple.people()[0])

            let answer = try await native.exchange(credential)

            #expect(answer["provider_token"]?["provider"] == "apple.com", "\(answer.text)")
        }
    }

    @Test func `discovery names the grant and the scope`() async throws {
        try await TestBroker.run { broker in
            let document = try await broker.get("/.well-known/openid-configuration")
            #expect(document["grant_types_supported"]?.array?.contains(.string(NativeApp.grantType)) == true)
            #expect(document["scopes_supported"]?.array?.contains("account") == true)
        }
    }
}
