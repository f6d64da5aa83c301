import Broker
import BrokerStore
import Foundation
import JOSE
import NIOHTTP1
import ProviderKit
import Testing

@Suite("OpenID Connect discovery")
struct OpenIDDiscoveryTests {
    @Test func `the document is at both of its addresses, and what it names is there`() async throws {
        try await TestBroker.run { broker in
            let document = try await broker.get("/.well-known/openid-configuration")
            let twin = try await broker.get("/.well-known/oauth-authorization-server")
            let issuer = try document.string("issuer")

            #expect(document.text == twin.text && issuer == "http://127.0.0.1:9099")
            #expect(document["code_challenge_methods_supported"] == ["S256"])
            #expect(document["id_token_signing_alg_values_supported"] == ["ES256", "RS256"])
            #expect(document["token_endpoint_auth_methods_supported"]?.array?.contains("none") == true)
            let addresses = (document.body.object ?? [:]).filter {
                $0.name.hasSuffix("_endpoint") || $0.name == "jwks_uri"
            }
            #expect(addresses.count >= 5)
            for (name, value) in addresses {
                let address = try #require(value.string)
                #expect(address.hasPrefix(issuer + "/"), "\(name)")
                #expect(try await broker.get(String(address.dropFirst(issuer.count))).status != 404, "\(name)")
            }
        }
    }

    @Test func `both algorithms have a key from the first start, none of Identity Toolkit's`() async throws {
        try await TestBroker.run { broker in
            let keys = try await broker.get("/oauth/jwks")
            let others = try await broker.get("/test-project/.well-known/jwks.json")

            let names = Set(keys["keys"]?.array?.compactMap { $0["kid"]?.string } ?? [])
            #expect(Set(keys["keys"]?.array?.compactMap { $0["kty"]?.string } ?? []) == ["EC", "RSA"])
            #expect(names.count == 2 && keys.headers.first(name: "Cache-Control") == "public, max-age=3600")
            #expect(names.isDisjoint(with: others["keys"]?.array?.compactMap { $0["kid"]?.string } ?? []))
            #expect(keys["keys"]?.array?.allSatisfy { $0["d"] == nil && $0["p"] == nil } == true)
        }
    }

    @Test func `a family's rotation leaves the other alone, and tokens of a revoked key die`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let old = try await app.signIn(try await broker.signedInUser())
            let before = try await broker.publishedKeyIDs()

            _ = try await broker.core.sessions.rotateSigningKeys(
                [.es256], of: [.oidc], .revoking, origin: Origin(.admin))

            #expect(try await broker.publishedKeyIDs() == before)
            #expect(try await broker.userInfo(old.string("access_token")).oauthError == "invalid_token")
            let new = try await app.refresh(old.string("refresh_token"))
            #expect(try await broker.userInfo(new.string("access_token")).status == 200)
        }
    }

    @Test func `a broker takes a token of a key another has made a moment ago`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            try await broker.withSecondBroker { other in
                _ = try await other.core.sessions.rotateSigningKeys([.es256], of: [.oidc], .now, origin: Origin(.admin))
                let there = OAuthApp(broker: other, client: app.client, secret: app.secret)
                let token = try await there.signIn(try await broker.signedInUser()).string("access_token")

                #expect(try await broker.userInfo(token).status == 200)
            }
        }
    }

    private static func preflight(_ broker: TestBroker, _ path: String, from origin: String) async throws -> Answer {
        let headers: HTTPHeaders = ["Origin": origin, "Access-Control-Request-Method": "POST"]
        return try await broker.send(.OPTIONS, path, headers: headers)
    }

    @Test func `pages of public clients may call what apps in browsers need, and nothing else`() async throws {
        try await TestBroker.run { broker in
            let spa = try await OAuthApp(
                at: broker, .public, redirectURIs: ["https://spa.example:443/cb", "http://localhost:3000/cb"])
            _ = try await OAuthApp(at: broker, redirectURIs: ["https://server.example/cb"])
            let allowed = { (path: String, origin: String) in
                try await Self.preflight(broker, path, from: origin).headers
                    .first(name: "Access-Control-Allow-Methods") != nil
            }

            for path in ["/oauth/token", "/oauth/userinfo", "/oauth/revoke"] {
                #expect(try await allowed(path, "https://spa.example"), "\(path)")
                #expect(try await allowed(path, "http://localhost:3000"))
                #expect(try await allowed(path, "https://app.example"), "an API key's origin")
                for stranger in ["https://server.example", "https://spa.example:444", "http://localhost:3001", "null"] {
                    #expect(try await !allowed(path, stranger), "\(stranger)")
                }
            }
            #expect(try await !allowed("/oauth/introspect", "https://spa.example"))
            #expect(try await !allowed("/v1/accounts:lookup", "https://spa.example"))
            let refused = try await broker.postForm(
                "/oauth/token", [("client_id", spa.client.id)], headers: ["Origin": "https://spa.example"])
            #expect(refused.status == 400)
            #expect(refused.headers.first(name: "Access-Control-Allow-Origin") == "https://spa.example")
            #expect(refused.headers.first(name: "Access-Control-Allow-Credentials") == nil)
            let keys = try await broker.send(.GET, "/oauth/jwks", headers: ["Origin": "https://anywhere.example"])
            #expect(keys.headers.first(name: "Access-Control-Allow-Origin") == "*")
        }
    }
}
