import Foundation
import ProviderSimulators
import Testing

@Suite("GitHub simulator: GitHub Apps")
struct GitHubAppTests {
    @Test func `an expiring token comes with a refresh token and no scopes`() async throws {
        try await GitHubSimulator.running(.init(application: .init(kind: .gitHubApp()))) { github in
            let code = github.authorizationCode(for: try github.ada, application: github.defaultApplication)

            let json = try await github.redeem(code).json

            #expect((json["access_token"] as? String)?.hasPrefix("ghu_") == true)
            #expect((json["refresh_token"] as? String)?.hasPrefix("ghr_") == true)
            #expect(json["expires_in"] as? Int == 28_800)
            #expect(json["refresh_token_expires_in"] as? Int == 15_897_600)
            #expect(json["scope"] as? String == "")
            #expect(json["token_type"] as? String == "bearer")
        }
    }

    @Test func `with expiry switched off the three fields are absent`() async throws {
        let application = GitHubSimulator.Application(kind: .gitHubApp(expiringTokens: false))
        try await GitHubSimulator.running(.init(application: application)) { github in
            let code = github.authorizationCode(for: try github.ada, application: application)

            let json = try await github.redeem(code).json

            #expect(Set(json.keys) == ["access_token", "scope", "token_type"])
            #expect((json["access_token"] as? String)?.hasPrefix("ghu_") == true)
        }
    }

    @Test func `a refresh kills both old tokens`() async throws {
        let application = GitHubSimulator.Application(kind: .gitHubApp())
        try await GitHubSimulator.running(.init(application: application)) { github in
            let old = try await github.redeem(
                github.authorizationCode(for: try github.ada, application: application)
            ).json
            let (access, refresh) = (old["access_token"] as? String ?? "", old["refresh_token"] as? String ?? "")
            #expect(try await github.api("/user", token: access).status == 200)

            let new = try await github.refresh(refresh, for: application).json

            let newAccess = try #require(new["access_token"] as? String)
            #expect(new["refresh_token"] as? String != refresh)
            #expect(try await github.api("/user", token: access).status == 401)
            #expect(try await github.api("/user", token: newAccess).status == 200)
            #expect(try await github.refresh(refresh, for: application).json["error"] as? String == "bad_refresh_token")
        }
    }

    @Test func `a token lives eight hours, its refresh token six months`() async throws {
        let clock = SimulatorClock.stopped(at: .epoch)
        let application = GitHubSimulator.Application(kind: .gitHubApp())
        try await GitHubSimulator.running(.init(clock: clock, application: application)) { github in
            let code = github.authorizationCode(for: try github.ada, application: application)
            let json = try await github.redeem(code).json
            let (access, refresh) = (json["access_token"] as? String ?? "", json["refresh_token"] as? String ?? "")

            clock.advance(by: .seconds(28_799))
            #expect(try await github.api("/user", token: access).status == 200)
            clock.advance(by: .seconds(1))
            #expect(try await github.api("/user", token: access).status == 401)
            #expect(try await github.call("POST", token: access).status == 404)
            clock.set(to: Date.epoch.addingTimeInterval(15_897_600))
            #expect(try await github.refresh(refresh, for: application).json["error"] as? String == "bad_refresh_token")
        }
    }

    @Test func `a refresh token belongs to its client and needs its secret`() async throws {
        let application = GitHubSimulator.Application(kind: .gitHubApp())
        try await GitHubSimulator.running(.init(application: application)) { github in
            let other = github.register(.init(kind: .gitHubApp()))
            let code = github.authorizationCode(for: try github.ada, application: application)
            let refresh = try await github.redeem(code).json["refresh_token"] as? String ?? ""

            let foreign = try await github.refresh(refresh, for: other).json
            let unproved = try await WebClient.post(
                github.tokenURL,
                ["client_id": application.clientID, "grant_type": "refresh_token", "refresh_token": refresh]
            ).json
            let good = try await github.refresh(refresh, for: application).json

            #expect(foreign["error"] as? String == "bad_refresh_token")
            #expect(unproved["error"] as? String == "incorrect_client_credentials")
            #expect(good["access_token"] != nil)
        }
    }

    @Test func `a check shows when the token expires`() async throws {
        let application = GitHubSimulator.Application(kind: .gitHubApp())
        let clock = SimulatorClock.stopped(at: .epoch)
        try await GitHubSimulator.running(.init(clock: clock, application: application)) { github in
            let token = github.accessToken(for: try github.ada, application: application)

            let json = try await github.call("POST", token: token).json

            #expect(json["expires_at"] as? String == "2023-11-15T06:13:20Z")
            #expect(json["scopes"] as? [String] == [])
        }
    }
}
