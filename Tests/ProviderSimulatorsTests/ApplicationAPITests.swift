import Foundation
import ProviderSimulators
import Testing

@Suite("GitHub simulator: token checks and revocation")
struct ApplicationAPITests {
    @Test func `a check returns the user and the scopes of a token`() async throws {
        try await GitHubSimulator.running { github in
            let ada = try github.ada
            let token = github.accessToken(for: ada, application: github.defaultApplication)

            let answer = try await github.call("POST", token: token)

            let json = try answer.json
            #expect(answer.status == 200)
            #expect(json["scopes"] as? [String] == ["read:user", "user:email"])
            #expect(json["token_last_eight"] as? String == String(token.suffix(8)))
            #expect((json["hashed_token"] as? String)?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
            #expect((json["app"] as? [String: Any])?["client_id"] as? String == github.defaultApplication.clientID)
            let user = try #require(json["user"] as? [String: Any])
            #expect(user["id"] as? Int64 == ada.id)
            #expect(user["login"] as? String == "ada")
            #expect(user["email"] == nil)
            #expect(answer.text.contains(#""expires_at":null"#))
            #expect(answer.header("x-ratelimit-limit") == "5000")
        }
    }

    @Test func `foreign, unknown and revoked tokens do not exist`() async throws {
        try await GitHubSimulator.running { github in
            let ada = try github.ada
            let foreign = github.accessToken(for: ada, application: github.register(.init()))
            let revoked = github.accessToken(for: ada, application: github.defaultApplication)
            github.revoke(token: revoked)

            for token in [foreign, revoked, "gho_unknown", "ghp_personal"] {
                let answer = try await github.call("POST", token: token)
                #expect(answer.status == 404)
                #expect(try answer.json["message"] as? String == "Not Found")
            }
        }
    }

    @Test func `the client must prove itself, and only for itself`() async throws {
        try await GitHubSimulator.running { github in
            let other = github.register(.init())
            let token = github.accessToken(for: try github.ada, application: other)

            let wrongSecret = try await github.call("POST", token: token, as: other, secret: "wrong")
            let otherPath = try await github.call("POST", token: token, clientID: other.clientID)
            let bearer = try await WebClient.send(
                "POST", "\(github.apiURL)/applications/\(other.clientID)/token",
                headers: ["authorization": "Bearer \(token)", "user-agent": "tests"],
                body: #"{"access_token":"\#(token)"}"#)

            #expect(wrongSecret.status == 401)
            #expect(try wrongSecret.json["message"] as? String == "Bad credentials")
            #expect(otherPath.status == 404)
            #expect(bearer.status == 401)
            #expect(try await github.call("POST", token: token, as: other).status == 200)
        }
    }

    @Test(arguments: [("{}", 422), (#"{"access_token":7}"#, 422), ("access_token=x", 400), ("", 400)])
    func `a body without token is refused`(body: String, status: Int) async throws {
        try await GitHubSimulator.running { github in
            let application = github.defaultApplication
            let basic = Data("\(application.clientID):\(application.clientSecret)".utf8).base64EncodedString()

            let answer = try await WebClient.send(
                "POST", "\(github.apiURL)/applications/\(application.clientID)/token",
                headers: ["authorization": "Basic \(basic)", "user-agent": "tests"], body: body)

            #expect(answer.status == status)
        }
    }

    @Test func `deleting a token ends that token only`() async throws {
        try await GitHubSimulator.running { github in
            let ada = try github.ada
            let tokens = (0..<2).map { _ in github.accessToken(for: ada, application: github.defaultApplication) }

            let deleted = try await github.call("DELETE", token: tokens[0])
            let again = try await github.call("DELETE", token: tokens[0])

            #expect(deleted.status == 204)
            #expect(deleted.bytes.isEmpty)
            #expect(again.status == 422)
            #expect(try await github.api("/user", token: tokens[0]).status == 401)
            #expect(try await github.api("/user", token: tokens[1]).status == 200)
        }
    }

    @Test func `deleting the grant revokes all tokens of this user and application`() async throws {
        try await GitHubSimulator.running { github in
            let (ada, ben) = (try github.ada, try github.person("ben"))
            let application = github.defaultApplication
            let tokens = ["gist", "repo"].map { github.accessToken(for: ada, application: application, scopes: [$0]) }
            let code = github.authorizationCode(for: ada, application: application)
            let bens = github.accessToken(for: ben, application: application)
            let others = github.accessToken(for: ada, application: github.register(.init()))

            let answer = try await github.call("DELETE", "grant", token: tokens[0])

            #expect(answer.status == 204)
            #expect(tokens.allSatisfy { !github.isLive(token: $0) })
            #expect(try await github.redeem(code).json["error"] as? String == "bad_verification_code")
            #expect(try await github.api("/user", token: bens).status == 200)
            #expect(try await github.api("/user", token: others).status == 200)
        }
    }

    @Test func `a foreign token deletes nothing`() async throws {
        try await GitHubSimulator.running { github in
            let foreign = github.accessToken(for: try github.ada, application: github.register(.init()))

            for what in ["token", "grant"] {
                #expect(try await github.call("DELETE", what, token: foreign).status == 422)
            }
            #expect(try await github.api("/user", token: foreign).status == 200)
        }
    }

    @Test func `a reset replaces the token`() async throws {
        try await GitHubSimulator.running { github in
            let old = github.accessToken(for: try github.ada, application: github.defaultApplication)

            let new = try #require(try await github.call("PATCH", token: old).json["token"] as? String)

            #expect(try await github.api("/user", token: old).status == 401)
            #expect(try await github.api("/user", token: new).status == 200)
        }
    }
}
