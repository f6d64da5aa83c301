import Foundation
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("GitLab simulator: OpenID Connect")
struct GitLabOpenIDTests {
    @Test func `an ID token lives two minutes and has the number as text`() async throws {
        try await GitLabSimulator.running(.init(clock: .stopped(at: .epoch))) { gitlab in
            let ada = try gitlab.ada
            let token = gitlab.idToken(for: ada, application: gitlab.defaultApplication, nonce: "n")
            let claims = try GitLabSimulator.claims(of: token)

            #expect(claims["iss"] as? String == gitlab.url && claims["sub"] as? String == String(ada.id))
            #expect(claims["aud"] as? String == gitlab.defaultApplication.clientID && claims["nonce"] as? String == "n")
            #expect(claims["iat"] as? Int == 1_700_000_000 && claims["exp"] as? Int == 1_700_000_120)
            #expect(claims["email"] as? String == "ada@example.com" && claims["email_verified"] as? Bool == true)
            #expect(claims["groups_direct"] as? [String] == ["examples/analytical-engines"])
            #expect((claims["sub_legacy"] as? String)?.utf8.count == 64)
            #expect(claims["name"] == nil && claims["at_hash"] == nil)
        }
    }

    @Test func `claims without a value are left out`() async throws {
        try await GitLabSimulator.running { gitlab in
            let ben = try #require(gitlab.person(username: "ben"))
            let token = gitlab.idToken(for: ben, application: gitlab.defaultApplication, scopes: ["openid"])
            let claims = try GitLabSimulator.claims(of: token)
            for name in ["nonce", "email", "email_verified", "groups_direct"] { #expect(claims[name] == nil) }
        }
    }

    @Test func `the CI key stands beside the signing key without a mark`() async throws {
        try await GitLabSimulator.running { gitlab in
            let answer = try await WebClient.get(gitlab.url + "/oauth/discovery/keys")
            let keys = try #require(try answer.json["keys"] as? [[String: Any]])
            let kids = keys.compactMap { $0["kid"] as? String }

            #expect(answer.header("cache-control") == "max-age=86400, public, must-revalidate")
            #expect(kids.count == 2 && Set(kids).count == 2 && kids.allSatisfy { $0.utf8.count == 43 })
            #expect(keys.allSatisfy { $0["kty"] as? String == "RSA" })
            let job = try GitLabSimulator.claims(
                of: gitlab.jobToken(audience: gitlab.defaultApplication.clientID, startedBy: try gitlab.ada))
            #expect(job["iss"] as? String == gitlab.url)
            #expect((job["sub"] as? String)?.hasPrefix("project_path:") == true)
        }
    }

    @Test func `keys rotate while tokens of the earlier one stay good until it is retired`() async throws {
        try await GitLabSimulator.running { gitlab in
            let first = gitlab.keys.currentKeyID
            gitlab.keys.rotate()
            func kids() async throws -> [String] {
                let keys = try await WebClient.get(gitlab.url + "/oauth/discovery/keys").json["keys"]
                return (keys as? [[String: Any]])?.compactMap { $0["kid"] as? String } ?? []
            }
            let both = try await kids()
            #expect(both.contains(first) && both.contains(gitlab.keys.currentKeyID) && both.count == 3)
            gitlab.keys.retireEarlierKeys()
            #expect(try await !kids().contains(first))
        }
    }

    @Test func `discovery speaks of the installation's own addresses, also below a path`() async throws {
        try await GitLabSimulator.running(.init(pathPrefix: "/gitlab")) { gitlab in
            #expect(gitlab.url.hasSuffix("/gitlab"))
            for name in ["openid-configuration", "oauth-authorization-server"] {
                let json = try await WebClient.get(gitlab.url + "/.well-known/" + name).json
                #expect(json["issuer"] as? String == gitlab.url)
                #expect(json["token_endpoint"] as? String == gitlab.url + "/oauth/token")
                #expect(json["jwks_uri"] as? String == gitlab.url + "/oauth/discovery/keys")
                let grants = ["authorization_code", "device_code", "refresh_token"]
                #expect(json["grant_types_supported"] as? [String] == grants)
                #expect(json["code_challenge_methods_supported"] as? [String] == ["plain", "S256"])
            }
            let root = gitlab.url.replacing("/gitlab", with: "")
            #expect(try await WebClient.get(root + "/.well-known/openid-configuration").status == 404)
        }
    }

    @Test(arguments: [["openid", "email"], ["openid"]])
    func `userinfo tells the primary address only with the scope email`(scopes: [String]) async throws {
        try await GitLabSimulator.running { gitlab in
            let ada = try gitlab.ada
            gitlab.update(personID: ada.id) {
                $0.publicEmail = "shown@example.test"
                $0.confirmedAt = nil
            }
            let token = gitlab.accessToken(for: ada, application: gitlab.defaultApplication, scopes: scopes)
            let json = try await gitlab.get("/oauth/userinfo", token: token).json

            let isPrimary = scopes.contains("email")
            #expect(json["email"] as? String == (isPrimary ? "ada@example.com" : "shown@example.test"))
            #expect(json["email_verified"] as? Bool == !isPrimary)
            #expect(json["sub"] as? String == String(ada.id) && json["preferred_username"] as? String == "ada")
            #expect(json["groups"] as? [String] == ["examples/analytical-engines"])
        }
    }

    @Test func `userinfo has no email_verified without a public address`() async throws {
        try await GitLabSimulator.running { gitlab in
            let ben = try #require(gitlab.person(username: "ben"))
            let token = gitlab.accessToken(for: ben, application: gitlab.defaultApplication, scopes: ["openid"])
            let json = try await WebClient.post(gitlab.url + "/oauth/userinfo", ["access_token": token]).json
            #expect(json["sub"] as? String == String(ben.id))
            #expect(json["email"] == nil && json["email_verified"] == nil)
        }
    }

    @Test func `userinfo says why a token is invalid, and rejects a blocked user's token`() async throws {
        try await GitLabSimulator.running { gitlab in
            let ada = try gitlab.ada
            let revoked = gitlab.accessToken(for: ada, application: gitlab.defaultApplication)
            gitlab.revoke(token: revoked)
            let blocked = gitlab.accessToken(for: ada, application: gitlab.defaultApplication)
            let narrow = gitlab.accessToken(for: ada, application: gitlab.defaultApplication, scopes: ["read_user"])

            #expect(try await gitlab.get("/oauth/userinfo", token: narrow).status == 403)
            gitlab.update(personID: ada.id) { $0.state = .blocked }
            for (token, text) in [(revoked, "was revoked"), (blocked, "is invalid"), ("made-up", "is invalid")] {
                let answer = try await gitlab.get("/oauth/userinfo", token: token)
                #expect(answer.status == 401)
                #expect(answer.header("www-authenticate")?.contains("The access token \(text)") == true)
            }
        }
    }

    @Test func `forgeries and changed claims end when they are taken back`() async throws {
        try await GitLabSimulator.running { gitlab in
            let ada = try gitlab.ada
            func claims() throws -> [String: Any] {
                try GitLabSimulator.claims(of: gitlab.idToken(for: ada, application: gitlab.defaultApplication))
            }
            gitlab.forgery = .wrongAudience
            gitlab.replaceClaim("sub", with: "7")
            #expect(try claims()["aud"] as? String != gitlab.defaultApplication.clientID)
            #expect(try claims()["sub"] as? String == "7")
            gitlab.forgery = nil
            #expect(try claims()["aud"] as? String == gitlab.defaultApplication.clientID)
            gitlab.replaceClaim("sub", with: nil)
            #expect(try claims()["sub"] == nil)
        }
    }
}
