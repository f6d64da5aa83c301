import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("GitLab simulator: token endpoint")
struct GitLabTokenEndpointTests {
    @Test func `a code becomes a pair of tokens with an ID token, and says when`() async throws {
        try await GitLabSimulator.running(.init(clock: .stopped(at: .epoch))) { gitlab in
            let code = gitlab.authorizationCode(for: try gitlab.ada, application: gitlab.defaultApplication)
            let answer = try await gitlab.redeem(code)
            let json = try answer.json

            #expect(answer.status == 200 && answer.header("cache-control") == "no-store")
            #expect(answer.header("pragma") == "no-cache")
            #expect((json["access_token"] as? String)?.utf8.count == 64)
            #expect((json["refresh_token"] as? String)?.utf8.count == 64)
            #expect(json["token_type"] as? String == "Bearer" && json["expires_in"] as? Int == 7200)
            #expect(json["created_at"] as? Int == 1_700_000_000)
            #expect(json["scope"] as? String == "openid profile email read_user")
            #expect(json["id_token"] is String)
        }
    }

    @Test func `without the scope openid there is no ID token`() async throws {
        try await GitLabSimulator.running { gitlab in
            let code = gitlab.authorizationCode(
                for: try gitlab.ada, application: gitlab.defaultApplication, scopes: ["read_user"])
            let answer = try await gitlab.redeem(code)
            #expect(try answer.json["id_token"] == nil)
        }
    }

    @Test func `a client proves itself by Basic or in the body, not by both`() async throws {
        try await GitLabSimulator.running { gitlab in
            let application = gitlab.defaultApplication
            let pair = "\(application.clientID):\(application.clientSecret)"
            let basic = "Basic \(Data(pair.utf8).base64EncodedString())"
            let redirectURI = try #require(application.redirectURIs.first)
            let code = gitlab.authorizationCode(for: try gitlab.ada, application: application)
            let fields: KeyValuePairs = [
                "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI,
            ]
            func post(_ body: String) async throws -> WebClient.Answer {
                try await WebClient.send(
                    "POST", gitlab.url + "/oauth/token",
                    headers: ["content-type": "application/x-www-form-urlencoded", "authorization": basic], body: body)
            }

            let both = try await post(WebClient.encode(fields) + "&client_secret=\(application.clientSecret)")
            #expect(try both.json["error"] as? String == "invalid_request")
            #expect(try await post(WebClient.encode(fields)).status == 200)
        }
    }

    @Test(arguments: ["wrong", ""])
    func `an unauthenticated client receives 401 with a challenge`(secret: String) async throws {
        try await GitLabSimulator.running { gitlab in
            let code = gitlab.authorizationCode(for: try gitlab.ada, application: gitlab.defaultApplication)
            let answer = try await WebClient.post(
                gitlab.url + "/oauth/token",
                [
                    "grant_type": "authorization_code", "code": code, "client_id": gitlab.defaultApplication.clientID,
                    "client_secret": secret, "redirect_uri": gitlab.defaultApplication.redirectURIs[0],
                ])
            #expect(answer.status == 401)
            #expect(try answer.json["error"] as? String == "invalid_client")
            let challenge = #"Bearer realm="Doorkeeper", error="invalid_client""#
            #expect(answer.header("www-authenticate")?.hasPrefix(challenge) == true)
            #expect(try await gitlab.redeem(code).status == 200)
        }
    }

    @Test(arguments: ["S256", "plain"])
    func `a public application redeems with its verifier alone`(method: String) async throws {
        let application = GitLabSimulator.Application(isConfidential: false)
        try await GitLabSimulator.running(.init(application: application)) { gitlab in
            let verifier = String(repeating: "v", count: 43)
            let challenge = method == "plain" ? verifier : GitLabSimulator.challenge(of: verifier)
            let page = try await WebClient.get(
                gitlab.authorizeURL(["code_challenge": challenge, "code_challenge_method": method]))
            let code = try #require(try await gitlab.decide(page, as: gitlab.ada).redirectQuery["code"])
            func redeem(_ verifier: String?) async throws -> WebClient.Answer {
                try await WebClient.send(
                    "POST", gitlab.url + "/oauth/token",
                    headers: ["content-type": "application/x-www-form-urlencoded"],
                    body: WebClient.encode([
                        "grant_type": "authorization_code", "code": code, "client_id": application.clientID,
                        "redirect_uri": GitLabSimulator.redirectURI,
                    ]) + (verifier.map { "&code_verifier=\($0)" } ?? ""))
            }

            let without = try await redeem(nil)
            #expect(try without.json["error"] as? String == "invalid_request")
            #expect(try without.json["error_description"] as? String == "Missing required parameter: code_verifier.")
            #expect(try await redeem(String(repeating: "w", count: 43)).json["error"] as? String == "invalid_grant")
            #expect(try await redeem(verifier).status == 200)
        }
    }

    @Test func `a code that comes twice ends the tokens it was redeemed for`() async throws {
        try await GitLabSimulator.running { gitlab in
            let code = gitlab.authorizationCode(for: try gitlab.ada, application: gitlab.defaultApplication)
            let token = try #require(try await gitlab.redeem(code).json["access_token"] as? String)
            #expect(gitlab.isLive(token: token))

            let again = try await gitlab.redeem(code)
            #expect(again.status == 400)
            #expect(try again.json["error"] as? String == "invalid_grant")
            #expect(!gitlab.isLive(token: token))
        }
    }

    @Test func `a code dies after ten minutes, belongs to one client and to one redirect URI`() async throws {
        try await GitLabSimulator.running { gitlab in
            let ada = try gitlab.ada
            let other = gitlab.register(.init(name: "Other"))
            let foreign = gitlab.authorizationCode(for: ada, application: other)
            let elsewhere = gitlab.authorizationCode(
                for: ada, application: gitlab.defaultApplication, redirectURI: GitLabSimulator.redirectURI)
            let late = gitlab.authorizationCode(for: ada, application: gitlab.defaultApplication)

            #expect(try await gitlab.redeem(foreign).json["error"] as? String == "invalid_grant")
            #expect(try await gitlab.redeem(elsewhere).json["error"] as? String == "invalid_grant")
            gitlab.clock.advance(by: 601)
            #expect(try await gitlab.redeem(late).json["error"] as? String == "invalid_grant")
        }
    }

    @Test func `refreshing kills both old tokens; the old one never works again`() async throws {
        try await GitLabSimulator.running { gitlab in
            let code = gitlab.authorizationCode(
                for: try gitlab.ada, application: gitlab.defaultApplication, nonce: "n")
            let first = try await gitlab.redeem(code).json
            let (access, refresh) = (first["access_token"] as? String ?? "", first["refresh_token"] as? String ?? "")
            let second = try await gitlab.refresh(refresh).json

            #expect(!gitlab.isLive(token: access))
            #expect(gitlab.isLive(token: try #require(second["access_token"] as? String)))
            #expect(try GitLabSimulator.claims(of: first["id_token"])["nonce"] as? String == "n")
            #expect(try GitLabSimulator.claims(of: second["id_token"])["nonce"] == nil)
            #expect(try await gitlab.refresh(refresh).json["error"] as? String == "invalid_grant")
        }
    }

    @Test func `a refresh token that comes twice ends everything that was refreshed from it`() async throws {
        try await GitLabSimulator.running { gitlab in
            let ada = try gitlab.ada
            let first = try await gitlab.redeem(
                gitlab.authorizationCode(for: ada, application: gitlab.defaultApplication)
            ).json
            let other = gitlab.accessToken(for: ada, application: gitlab.defaultApplication)
            let old = try #require(first["refresh_token"] as? String)
            let second = try await gitlab.refresh(old).json
            let third = try await gitlab.refresh(try #require(second["refresh_token"] as? String)).json
            let reused = try await gitlab.refresh(old)

            #expect(try reused.json["error"] as? String == "invalid_grant")
            #expect(!gitlab.isLive(token: try #require(third["access_token"] as? String)))
            let newest = try await gitlab.refresh(try #require(third["refresh_token"] as? String))
            #expect(try newest.json["error"] as? String == "invalid_grant")
            #expect(gitlab.isLive(token: other), "another sign-in of the same user")
        }
    }

    @Test func `an access token dies after two hours, its refresh token does not`() async throws {
        try await GitLabSimulator.running { gitlab in
            let code = gitlab.authorizationCode(for: try gitlab.ada, application: gitlab.defaultApplication)
            let json = try await gitlab.redeem(code).json
            gitlab.clock.advance(by: 7201)
            #expect(!gitlab.isLive(token: try #require(json["access_token"] as? String)))
            gitlab.clock.advance(by: 400 * 86_400)
            #expect(try await gitlab.refresh(try #require(json["refresh_token"] as? String)).status == 200)
        }
    }

    @Test(arguments: [
        ("password", "unsupported_grant_type"), ("authorization_code", "invalid_request"),
        ("refresh_token", "invalid_request"),
    ])
    func `requests that lack something say what, in the library's words`(grant: String, error: String) async throws {
        try await GitLabSimulator.running { gitlab in
            let answer = try await gitlab.tokens(["grant_type": grant])
            #expect(answer.status == 400)
            #expect(try answer.json["error"] as? String == error)
            #expect(try (answer.json["error_description"] as? String)?.isEmpty == false)
        }
    }

    @Test func `deleting a registration ends everything it was granted`() async throws {
        try await GitLabSimulator.running { gitlab in
            let token = gitlab.accessToken(for: try gitlab.ada, application: gitlab.defaultApplication)
            gitlab.remove(clientID: gitlab.defaultApplication.clientID)
            #expect(!gitlab.isLive(token: token))
            #expect(try await gitlab.get("/api/v4/user", token: token).status == 401)
        }
    }
}
