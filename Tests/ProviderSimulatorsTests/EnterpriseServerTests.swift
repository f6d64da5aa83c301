import Foundation
import ProviderSimulators
import Testing

@Suite("GitHub simulator: Enterprise Server and metadata")
struct EnterpriseServerTests {
    @Test func `the API is below /api/v3 and knows no rate limits`() async throws {
        try await GitHubSimulator.running(.init(enterprise: true)) { github in
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)

            let user = try await github.api("/user", token: token)
            let elsewhere = try await WebClient.get(
                github.url + "/api/user", headers: ["authorization": "Bearer \(token)", "user-agent": "tests"])
            let checked = try await github.call("POST", token: token)

            #expect(github.apiURL == github.url + "/api/v3")
            #expect(user.status == 200)
            #expect(user.header("x-ratelimit-limit") == nil)
            #expect(try user.json["url"] as? String == github.url + "/api/v3/users/ada")
            #expect(elsewhere.status == 404)
            #expect(checked.status == 200)
        }
    }

    @Test func `the installation verifies no addresses, so it refuses no user for an unverified one`() async throws {
        try await GitHubSimulator.running(.init(enterprise: true)) { github in
            let code = github.authorizationCode(
                for: try github.person("cleo"), application: github.defaultApplication)

            #expect(try await github.redeem(code).json["access_token"] != nil)
        }
    }

    @Test func `github.com's API is below /api and not below /api/v3`() async throws {
        try await GitHubSimulator.running { github in
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)

            let elsewhere = try await WebClient.get(
                github.url + "/api/v3/user", headers: ["authorization": "Bearer \(token)", "user-agent": "tests"])

            #expect(github.apiURL == github.url + "/api")
            #expect(elsewhere.status == 404)
        }
    }

    @Test func `metadata stands between host and issuer path`() async throws {
        try await GitHubSimulator.running { github in
            let answer = try await WebClient.get(github.url + "/.well-known/oauth-authorization-server/login/oauth")
            let elsewhere = try await WebClient.get(github.url + "/login/oauth/.well-known/oauth-authorization-server")

            let json = try answer.json
            #expect(json["issuer"] as? String == github.url + "/login/oauth")
            #expect(json["token_endpoint"] as? String == github.tokenURL)
            #expect(json["code_challenge_methods_supported"] as? [String] == ["S256"])
            #expect(json["authorization_response_iss_parameter_supported"] as? Bool == true)
            #expect(elsewhere.status == 404)
        }
    }
}
