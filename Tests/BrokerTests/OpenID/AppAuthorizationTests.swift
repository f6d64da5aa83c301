import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("Signing in through a provider's app")
struct AppAuthorizationTests {
    private static func query(of url: String) throws -> [String: String] {
        let pairs = try #require(FormEncoding.decode(Array(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())))
        return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }

    @Test func `the broker answers the provider's address, with the app's client and no secret of the attempt`()
        async throws
    {
        try await AppAuthorization.run { _, providers, native in
            let started = try await AppAuthorization.start(
                native, ["login_hint": "ada@example.com", "provider_scope": "email"])

            let url = try started.string("authorization_uri")
            let query = try Self.query(of: url)
            #expect(url.hasPrefix(providers.onePass.url + "/oauth/authorize?"))
            #expect(query["client_id"] == AppAuthorization.clientID)
            #expect(query["redirect_uri"] == AppAuthorization.redirectURI && query["response_type"] == "code")
            #expect(query["code_challenge_method"] == "S256" && query["code_challenge"]?.utf8.count == 43)
            #expect(query["state"] == started["state"]?.string && query["nonce"]?.utf8.count == 43)
            #expect(query["login_hint"] == "ada@example.com")
            #expect(try started.string("handle").utf8.count == 43 && started["expires_in"] == 600)
            #expect(!url.contains(try started.string("handle")))
            #expect(
                started.body.object.map { Set($0.names) } == ["authorization_uri", "handle", "state", "expires_in"])
        }
    }

    @Test func `the provider's code comes back to the app and signs the user in, once`() async throws {
        try await AppAuthorization.run { _, providers, native in
            let ada = try #require(providers.onePass.person(named: "ada"))
            let first = try await AppAuthorization.begin(native, providers)

            let answer = try await first.finish()
            let again = try await first.finish()
            let later = try await AppAuthorization.begin(native, providers).finish()

            #expect(answer.status == 200 && answer["is_new_user"] == true, "\(answer.text)")
            #expect(answer["provider"] == "1pass.dev" && answer["refresh_token"] != nil)
            #expect(try answer.claims()["name"]?.string == ada.fullName || answer.claims()["email"] != nil)
            #expect(again.refusal == "INVALID_IDP_RESPONSE" && again.oauthError == "invalid_grant", "\(again.text)")
            #expect(later["is_new_user"] == false, "\(later.text)")
            #expect(try later.claims()["sub"] == answer.claims()["sub"])
        }
    }

    @Test func `of twenty copies of one answer one gets through`() async throws {
        try await AppAuthorization.run { _, providers, native in
            let attempt = try await AppAuthorization.begin(native, providers)

            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 { group.addTask { try await attempt.finish() } }
                return try await group.reduce(into: [Answer]()) { $0.append($1) }
            }

            #expect(answers.count { $0.status == 200 } == 1)
        }
    }

    @Test func `the grant is stored for the app's client, refreshed and withdrawn as it`() async throws {
        try await AppAuthorization.run({ $0.policy.providerTokens = .client }) { broker, providers, native in
            let answer = try await AppAuthorization.begin(native, providers).finish()
            let localID = try #require(try answer.claims()["sub"]?.string)

            let grant = try #require(try await broker.storedGrants(ofUser: localID).first)

            #expect(grant.clientID == AppAuthorization.clientID)
        }
    }

    @Test func `a user who declines in the app is told apart, and the attempt is over`() async throws {
        try await AppAuthorization.run { _, providers, native in
            let attempt = try await AppAuthorization.begin(native, providers, as: nil)

            let answer = try await attempt.finish()
            let again = try await attempt.finish()

            #expect(answer.refusal == "USER_CANCELLED", "\(answer.text)")
            #expect(again.refusal == "INVALID_IDP_RESPONSE")
        }
    }

    @Test func `links and reauthenticates the user of the session, with the purpose it began with`() async throws {
        try await AppAuthorization.run { broker, providers, native in
            let ann = try await native.signIn(providers.person(at: "github.com", email: "ann@example.com"))
            let link = try await AppAuthorization.begin(native, providers, actor: ann)

            let asSignIn = try await link.finish()
            let asLogin = try await link.finish(actor: ann, prompt: "login")
            let linked = try await link.finish(actor: ann)
            let proof = try await AppAuthorization.begin(native, providers, actor: ann, prompt: "login")
            let asLink = try await proof.finish(actor: ann)
            let proven = try await proof.finish(actor: ann, prompt: "login")

            for refused in [asSignIn, asLogin, asLink] {
                #expect(refused.refusal == "INVALID_IDP_RESPONSE", "\(refused.text)")
            }
            #expect(linked.status == 200 && linked["refresh_token"] == nil, "\(linked.text)")
            #expect(try linked.claims()["sub"] == ann.claims()["sub"])
            #expect(try await native.get("", linked).providerIDs == ["github.com", "1pass.dev"])
            #expect(proven.status == 200, "\(proven.text)")
            #expect(try proven.claims()["sub"] == ann.claims()["sub"])
        }
    }

    @Test func `a reauthentication as another account is refused`() async throws {
        try await AppAuthorization.run { _, providers, native in
            let ada = try await AppAuthorization.begin(native, providers).finish()

            let other = try await AppAuthorization.begin(native, providers, as: "cleo", actor: ada, prompt: "login")
                .finish(actor: ada, prompt: "login")

            #expect(other.refusal == "USER_MISMATCH" || other.refusal == "USER_NOT_FOUND", "\(other.text)")
        }
    }

    @Test func `what the exchange would refuse is refused before the user goes away`() async throws {
        try await AppAuthorization.run { broker, providers, native in
            let ann = try await native.signIn(providers.person(at: "github.com", email: "ann@example.com"))

            let stranger = try await AppAuthorization.start(native, actor: ann, prompt: "login")
            providers.advance(301, with: broker)
            let old = try await AppAuthorization.start(native, actor: ann)

            #expect(stranger.refusal == "USER_MISMATCH", "\(stranger.text)")
            #expect(old.refusal == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(old.text)")
        }
    }

    @Test func `an address of another user's account is confirmed by a pending token, as any exchange`() async throws {
        try await AppAuthorization.run { _, providers, native in
            _ = try await native.signIn(providers.person(at: "github.com", email: "ada@example.com"))

            let answer = try await AppAuthorization.begin(native, providers).finish()

            #expect(answer.refusal == "NEED_CONFIRMATION", "\(answer.text)")
            #expect(answer["pending_token"]?.string?.isEmpty == false)
        }
    }

    @Test func `the list has the providers whose entry and whose client register the same redirect URI`() async throws {
        try await AppAuthorization.run { broker, providers, native in
            func list(_ app: NativeApp) async throws -> JSONValue? {
                try await broker.get("/oauth/app_authorization?client_id=\(app.app.client.id)")["providers"]
            }
            let other = try await AppAuthorization.app(at: broker, "com.example.other:/1pass")
            let foreign = try await AppAuthorization.app(
                at: broker, AppAuthorization.redirectURI, isFirstParty: false)
            let unknown = try await broker.get("/oauth/app_authorization?client_id=unknown")
            let metadata = try await broker.get("/.well-known/openid-configuration")

            #expect(
                try await list(native) == [
                    [
                        "provider": "1pass.dev", "display_name": "1Pass",
                        "redirect_uris": [.string(AppAuthorization.redirectURI)],
                    ]
                ])
            #expect(try await list(other) == [])
            #expect(try await list(foreign) == [])
            #expect(unknown.oauthError == "invalid_client", "\(unknown.text)")
            #expect(
                metadata["app_authorization_endpoint"]?.string
                    == broker.core.providers.publicURL + "/oauth/app_authorization")
        }
    }

    @Test func `an entry of any kind may register an app's redirect URI, for its own client`() async throws {
        let redirectURI = "com.example.app:/gitlab"
        try await TestProviders.run(entries: { entry in
            if entry["use"] == "gitlab" { entry["appRedirects"] = [["redirectUri": .string(redirectURI)]] }
        }) { broker, providers in
            providers.allow(redirectURI)
            let native = try await AppAuthorization.app(at: broker, redirectURI)
            _ = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let started = try await AppAuthorization.start(
                native, ["provider": "gitlab.com", "redirect_uri": redirectURI])
            let back = try await ProviderRedirect.take(to: started.string("authorization_uri"), as: "ann@example.com")

            let answer = try await AppAuthorization(native: native, started: started, redirect: back.url).finish()

            #expect(answer.status == 200, "\(answer.text)")
        }
    }
}
