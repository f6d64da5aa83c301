import Foundation
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("GitLab simulator: the API")
struct GitLabUserTests {
    @Test func `the user has every field sign-ins look at`() async throws {
        try await GitLabSimulator.running { gitlab in
            let ada = try gitlab.ada
            let token = gitlab.accessToken(for: ada, application: gitlab.defaultApplication)
            let json = try await gitlab.get("/api/v4/user", token: token).json

            #expect(json["id"] as? Int64 == ada.id && json["username"] as? String == "ada")
            #expect(json["state"] as? String == "active" && json["locked"] as? Bool == false)
            #expect(json["email"] as? String == "ada@example.com")
            #expect(json["confirmed_at"] as? String == "2017-07-14T02:40:00.000Z")
            #expect(json["public_email"] as? String == "ada@example.com")
            #expect(json["web_url"] as? String == gitlab.url + "/ada")
            let picture = try await WebClient.get(try #require(json["avatar_url"] as? String))
            #expect(picture.status == 200 && picture.header("content-type") == "image/svg+xml")
        }
    }

    @Test func `further addresses are listed without the primary one, page by page`() async throws {
        try await GitLabSimulator.running { gitlab in
            let ben = try #require(gitlab.person(username: "ben"))
            gitlab.update(personID: ben.id) { $0.emails.append(.init(address: "b@example.test", confirmedAt: .epoch)) }
            let token = gitlab.accessToken(for: ben, application: gitlab.defaultApplication)
            let first = try await gitlab.get("/api/v4/user/emails?per_page=1", token: token)
            let second = try await gitlab.get("/api/v4/user/emails?per_page=1&page=2", token: token)

            #expect(try first.jsonArray.map { $0["email"] as? String } == ["ben.old@example.test"])
            #expect(try first.jsonArray[0]["confirmed_at"] is NSNull)
            #expect(try second.jsonArray.map { $0["email"] as? String } == ["b@example.test"])
            #expect(first.header("x-total") == "2" && first.header("x-next-page") == "2")
            #expect(second.header("x-next-page") == "")
        }
    }

    @Test func `a token is taken as bearer or as parameter; without one there is a message`() async throws {
        try await GitLabSimulator.running { gitlab in
            let token = gitlab.accessToken(for: try gitlab.ada, application: gitlab.defaultApplication)
            #expect(try await WebClient.get(gitlab.apiURL + "/user?access_token=" + token).status == 200)
            let personal = gitlab.personalAccessToken(for: try gitlab.ada)
            #expect(try await gitlab.get("/api/v4/user", token: personal).status == 200)
            let without = try await WebClient.get(gitlab.apiURL + "/user")
            #expect(without.status == 401)
            #expect(try without.json["message"] as? String == "401 Unauthorized")
        }
    }

    @Test func `the response distinguishes invalid tokens from tokens of insufficient scope`() async throws {
        try await GitLabSimulator.running { gitlab in
            let ada = try gitlab.ada
            let application = gitlab.defaultApplication
            let expired = gitlab.accessToken(for: ada, application: application)
            gitlab.clock.advance(by: 7201)
            let revoked = gitlab.accessToken(for: ada, application: application)
            gitlab.revoke(token: revoked)
            let narrow = gitlab.accessToken(for: ada, application: application, scopes: ["openid"])

            for (token, text) in [(expired, "Token is expired."), (revoked, "Token was revoked."), ("x", "Bad Access")]
            {
                let answer = try await gitlab.get("/api/v4/user", token: token)
                #expect(answer.status == 401)
                #expect(try answer.json["error"] as? String == "invalid_token")
                #expect(try (answer.json["error_description"] as? String)?.hasPrefix(text) == true)
            }
            let refused = try await gitlab.get("/api/v4/user", token: narrow)
            #expect(refused.status == 403)
            #expect(try refused.json["error"] as? String == "insufficient_scope")
        }
    }

    @Test func `blocked users are refused, locked users are marked as locked`() async throws {
        try await GitLabSimulator.running { gitlab in
            let ada = try gitlab.ada
            let token = gitlab.accessToken(for: ada, application: gitlab.defaultApplication)
            gitlab.update(personID: ada.id) { $0.isLocked = true }
            #expect(try await gitlab.get("/api/v4/user", token: token).json["locked"] as? Bool == true)
            for state in [GitLabSimulator.Person.State.blocked, .banned, .ldapBlocked, .deactivated] {
                gitlab.update(personID: ada.id) { $0.state = state }
                let answer = try await gitlab.get("/api/v4/user", token: token)
                #expect(answer.status == 403)
                #expect(try (answer.json["message"] as? String)?.hasPrefix("403 Forbidden - ") == true)
            }
        }
    }

    @Test func `too many calls are turned away in plain text, with the limit in the header`() async throws {
        try await GitLabSimulator.running(.init(clock: .stopped(at: .epoch), rateLimit: 2)) { gitlab in
            let token = gitlab.accessToken(for: try gitlab.ada, application: gitlab.defaultApplication)
            let first = try await gitlab.get("/api/v4/user", token: token)
            #expect(first.header("ratelimit-limit") == "2" && first.header("ratelimit-remaining") == "1")
            _ = try await gitlab.get("/api/v4/user", token: token)
            gitlab.clock.advance(by: 600)
            let third = try await gitlab.get("/api/v4/user", token: token)

            #expect(third.status == 429 && third.header("content-type") == "text/plain; charset=utf-8")
            #expect(third.text == "Retry later\n" && third.header("retry-after") == "3000")
            #expect(third.header("ratelimit-resettime") == "Tue, 14 Nov 2023 23:13:20 GMT")
            gitlab.clock.advance(by: 3000)
            #expect(try await gitlab.get("/api/v4/user", token: token).status == 200)
        }
    }

    @Test func `one number identifies two users at two installations`() async throws {
        let ada = GitLabSimulator.Person(id: 42, username: "ada", email: "ada@example.com")
        let eve = GitLabSimulator.Person(id: 42, username: "eve", email: "eve@example.com")
        try await GitLabSimulator.running(.init(people: [ada])) { first in
            try await GitLabSimulator.running(.init(people: [eve])) { second in
                let token = second.accessToken(for: eve, application: second.defaultApplication)
                let home = try await second.get("/api/v4/user", token: token).json
                let abroad = try await first.get("/api/v4/user", token: token)
                #expect(home["username"] as? String == "eve" && abroad.status == 401)
                #expect(first.keys.currentKeyID != second.keys.currentKeyID)
            }
        }
    }
}
