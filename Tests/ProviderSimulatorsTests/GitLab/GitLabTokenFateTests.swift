import Foundation
import ProviderSimulators
import Testing

@Suite("GitLab simulator: token info, introspection, revocation")
struct GitLabTokenFateTests {
    @Test func `the token info names owner, application and age`() async throws {
        try await GitLabSimulator.running(.init(clock: .stopped(at: .epoch))) { gitlab in
            let ada = try gitlab.ada
            let token = gitlab.accessToken(for: ada, application: gitlab.defaultApplication, scopes: ["openid"])
            gitlab.clock.advance(by: 310)
            for answer in [
                try await gitlab.get("/oauth/token/info", token: token),
                try await WebClient.get(gitlab.url + "/oauth/token/info?access_token=" + token),
            ] {
                let json = try answer.json
                #expect(json["resource_owner_id"] as? Int64 == ada.id)
                let application = json["application"] as? [String: Any]
                #expect(application?["uid"] as? String == gitlab.defaultApplication.clientID)
                #expect(json["scope"] as? [String] == ["openid"] && json["scopes"] as? [String] == ["openid"])
                #expect(json["expires_in"] as? Int == 6890 && json["expires_in_seconds"] as? Int == 6890)
                #expect(json["created_at"] as? Int == 1_700_000_000)
            }
        }
    }

    @Test func `the token info of another application's token names that application`() async throws {
        try await GitLabSimulator.running { gitlab in
            let other = gitlab.register(.init(name: "Other"))
            let token = gitlab.accessToken(for: try gitlab.ada, application: other)
            let json = try await gitlab.get("/oauth/token/info", token: token).json
            #expect((json["application"] as? [String: Any])?["uid"] as? String == other.clientID)
        }
    }

    @Test(arguments: [(false, 400, "invalid_request"), (true, 401, "invalid_token")])
    func `a dead token and a personal one have no info`(isDoorkeeper: Bool, status: Int, error: String) async throws {
        try await GitLabSimulator.running(.init(answersTokenInfoLikeDoorkeeper: isDoorkeeper)) { gitlab in
            for token in ["made-up", gitlab.personalAccessToken(for: try gitlab.ada)] {
                let answer = try await gitlab.get("/oauth/token/info", token: token)
                #expect(answer.status == status)
                #expect(try answer.json["error"] as? String == error)
            }
        }
    }

    @Test func `only the application that holds a token learns that it is active`() async throws {
        try await GitLabSimulator.running { gitlab in
            let other = gitlab.register(.init(name: "Other"))
            let token = gitlab.accessToken(for: try gitlab.ada, application: gitlab.defaultApplication)
            let ours = try await gitlab.post("/oauth/introspect", token: token).json
            let theirs = try await gitlab.post("/oauth/introspect", token: token, as: other).json

            #expect(ours["active"] as? Bool == true)
            #expect(ours["client_id"] as? String == gitlab.defaultApplication.clientID)
            #expect(ours["sub"] == nil)
            #expect(theirs["active"] as? Bool == false && theirs.count == 1)
            #expect(try await gitlab.post("/oauth/introspect", token: token, secret: "x").status == 401)
        }
    }

    @Test func `revoking either token revokes both, and revoking an unknown token succeeds`() async throws {
        try await GitLabSimulator.running { gitlab in
            for half in ["access_token", "refresh_token"] {
                let code = gitlab.authorizationCode(for: try gitlab.ada, application: gitlab.defaultApplication)
                let json = try await gitlab.redeem(code).json
                let answer = try await gitlab.post("/oauth/revoke", token: try #require(json[half] as? String))

                #expect(answer.status == 200 && answer.text == "{}")
                #expect(!gitlab.isLive(token: try #require(json["access_token"] as? String)))
                #expect(try await gitlab.refresh(try #require(json["refresh_token"] as? String)).status == 400)
            }
            let unknown = try await gitlab.post("/oauth/revoke", token: "made-up")
            #expect(unknown.status == 200 && unknown.text == "{}")
        }
    }

    @Test func `a client cannot revoke another client's token, nor its own without its secret`() async throws {
        try await GitLabSimulator.running { gitlab in
            let other = gitlab.register(.init(name: "Other"))
            let token = gitlab.accessToken(for: try gitlab.ada, application: gitlab.defaultApplication)
            for answer in [
                try await gitlab.post("/oauth/revoke", token: token, as: other),
                try await gitlab.post("/oauth/revoke", token: token, secret: "wrong"),
            ] {
                #expect(answer.status == 403)
                #expect(try answer.json["error"] as? String == "unauthorized_client")
                #expect(gitlab.isLive(token: token))
            }
        }
    }
}
