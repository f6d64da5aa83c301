import Foundation
import ProviderSimulators
import Testing

@Suite("GitHub simulator: user and addresses")
struct UserAPITests {
    @Test func `a call without User-Agent is forbidden in plain text and the connection closes`() async throws {
        try await GitHubSimulator.running { github in
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)

            let answer = try await github.api("/user", token: token, userAgent: nil)

            #expect(answer.status == 403)
            #expect(answer.header("content-type") == "text/html")
            #expect(answer.header("connection") == "close")
            #expect(answer.text.hasPrefix("Request forbidden by administrative rules."))
            #expect(try await github.api("/user", token: token).status == 200)
        }
    }

    @Test func `the profile has a numeric id and explicit nulls`() async throws {
        try await GitHubSimulator.running { github in
            let ben = try github.person("ben")
            let token = github.accessToken(for: ben, application: github.defaultApplication, scopes: [])

            let answer = try await github.api("/user", token: token)

            #expect(answer.text.contains("\"id\":\(ben.id),"))
            #expect(answer.text.contains(#""name":null"#))
            #expect(answer.text.contains(#""email":null"#))
            let profile = try answer.json
            #expect(profile["login"] as? String == "ben")
            #expect(profile["html_url"] as? String == github.url + "/ben")
            #expect(profile["url"] as? String == github.apiURL + "/users/ben")
            #expect(profile["plan"] == nil)
        }
    }

    @Test func `only the scope user shows the private part of the profile`() async throws {
        try await GitHubSimulator.running { github in
            let token = github.accessToken(
                for: try github.ada, application: github.defaultApplication, scopes: ["user"])

            let profile = try await github.api("/user", token: token).json

            #expect(profile["plan"] != nil)
            #expect(profile["user_view_type"] as? String == "private")
            #expect(profile["name"] as? String == "Ada Example")
            #expect(profile["email"] as? String == "ada@example.com")
        }
    }

    @Test func `the message distinguishes a missing, a wrong and a revoked token`() async throws {
        try await GitHubSimulator.running { github in
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)
            let kelvin = token.replacing("K", with: "\u{212A}")
            github.revoke(token: token)

            let missing = try await github.api("/user")
            let wrong = try await github.api("/user", token: "gho_wrong")
            let revoked = try await github.api("/user", token: token)

            #expect(missing.status == 401)
            #expect(try missing.json["message"] as? String == "Requires authentication")
            for answer in [wrong, revoked] {
                #expect(answer.status == 401)
                #expect(try answer.json["message"] as? String == "Bad credentials")
                #expect(try answer.json["status"] as? String == "401")
            }
            #expect(!github.isLive(token: kelvin))
        }
    }

    @Test func `the scheme token works like Bearer`() async throws {
        try await GitHubSimulator.running { github in
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)

            let answer = try await WebClient.get(
                github.apiURL + "/user", headers: ["authorization": "token \(token)", "user-agent": "tests"])

            #expect(answer.status == 200)
        }
    }

    @Test func `answers name the token's scopes and client`() async throws {
        try await GitHubSimulator.running { github in
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)

            let answer = try await github.api("/user/emails", token: token)

            #expect(answer.header("x-oauth-scopes") == "read:user, user:email")
            #expect(answer.header("x-accepted-oauth-scopes") == "user, user:email")
            #expect(answer.header("x-oauth-client-id") == github.defaultApplication.clientID)
            #expect(answer.header("x-github-request-id")?.isEmpty == false)
        }
    }

    @Test(arguments: [([], 404), (["read:user"], 404), (["user:email"], 200), (["user"], 200)])
    func `addresses need a scope`(scopes: [String], status: Int) async throws {
        try await GitHubSimulator.running { github in
            let token = github.accessToken(
                for: try github.ada, application: github.defaultApplication, scopes: scopes)

            let answer = try await github.api("/user/emails", token: token)

            #expect(answer.status == status)
            #expect(answer.header("x-oauth-scopes") == scopes.joined(separator: ", "))
            if status == 404 { #expect(try answer.json["message"] as? String == "Not Found") }
        }
    }

    @Test func `a GitHub App without the permission may not read addresses`() async throws {
        try await GitHubSimulator.running { github in
            let blind = github.register(.init(kind: .gitHubApp(), readsEmailAddresses: false))
            let seeing = github.register(.init(kind: .gitHubApp()))

            let refused = try await github.api(
                "/user/emails", token: github.accessToken(for: try github.ada, application: blind))
            let allowed = try await github.api(
                "/user/emails", token: github.accessToken(for: try github.ada, application: seeing))

            #expect(refused.status == 403)
            #expect(try refused.json["message"] as? String == "Resource not accessible by integration")
            #expect(allowed.status == 200)
        }
    }

    @Test func `addresses carry their flags, and only public ones are in the public list`() async throws {
        try await GitHubSimulator.running { github in
            let person = github.add(
                .init(
                    login: "dora",
                    emails: [
                        .init(address: "dora@example.com", verified: false, visibility: .private),
                        .init(address: "d@example.test", primary: false, visibility: .public),
                    ]))
            let token = github.accessToken(for: person, application: github.defaultApplication)

            let all = try await github.api("/user/emails", token: token)
            let visible = try await github.api("/user/public_emails", token: token)

            #expect(
                all.text == """
                    [{"email":"dora@example.com","primary":true,"verified":false,"visibility":"private"},\
                    {"email":"d@example.test","primary":false,"verified":true,"visibility":"public"}]
                    """)
            #expect(try visible.jsonArray.map { $0["email"] as? String } == ["d@example.test"])
        }
    }

    @Test func `addresses are paged and the primary one may be on the second page`() async throws {
        try await GitHubSimulator.running { github in
            let others = (1...30).map { GitHubSimulator.Person.Email(address: "e\($0)@example.com", primary: false) }
            let person = github.add(.init(login: "many", emails: others + [.init(address: "main@example.com")]))
            let token = github.accessToken(for: person, application: github.defaultApplication)

            let first = try await github.api("/user/emails", token: token)
            let second = try await github.api("/user/emails?page=2", token: token)
            let whole = try await github.api("/user/emails?per_page=100", token: token)
            let beyond = try await github.api("/user/emails?page=9223372036854775807", token: token)

            let address = github.apiURL + "/user/emails?per_page=30&page="
            #expect(try first.jsonArray.count == 30)
            #expect(first.header("link") == "<\(address)2>; rel=\"next\", <\(address)2>; rel=\"last\"")
            #expect(try second.jsonArray.map { $0["email"] as? String } == ["main@example.com"])
            #expect(second.header("link") == "<\(address)1>; rel=\"prev\", <\(address)1>; rel=\"first\"")
            #expect(try whole.jsonArray.count == 31)
            #expect(whole.header("link") == nil)
            #expect(beyond.text == "[]")
        }
    }

    @Test func `every call counts, and the limit refuses further calls until the hour ends`() async throws {
        let clock = SimulatorClock.stopped(at: .epoch)
        try await GitHubSimulator.running(.init(clock: clock, rateLimit: 2)) { github in
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)

            let first = try await github.api("/user", token: token)
            let second = try await github.api("/user", token: token)
            let third = try await github.api("/user", token: token)
            clock.advance(by: .seconds(3600))
            let later = try await github.api("/user", token: token)

            #expect(first.header("x-ratelimit-limit") == "2")
            #expect(first.header("x-ratelimit-remaining") == "1")
            #expect(first.header("x-ratelimit-used") == "1")
            #expect(first.header("x-ratelimit-reset") == "1700003600")
            #expect(first.header("x-ratelimit-resource") == "core")
            #expect(second.header("x-ratelimit-remaining") == "0")
            #expect(third.status == 403)
            #expect(third.header("x-ratelimit-remaining") == "0")
            #expect(later.status == 200)
        }
    }

    @Test func `calls without credential have sixty an hour`() async throws {
        try await GitHubSimulator.running { github in
            let answer = try await github.api("/user")

            #expect(answer.header("x-ratelimit-limit") == "60")
            #expect(answer.header("x-ratelimit-remaining") == "59")
        }
    }

    @Test func `an unchanged answer is not sent twice`() async throws {
        try await GitHubSimulator.running { github in
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)
            let tag = try #require(try await github.api("/user", token: token).header("etag"))
            func again() async throws -> WebClient.Answer {
                try await WebClient.get(
                    github.apiURL + "/user",
                    headers: ["authorization": "Bearer \(token)", "user-agent": "tests", "if-none-match": tag])
            }

            let unchanged = try await again()
            github.update(personID: try github.ada.id) { $0.name = "Ada Renamed" }
            let changed = try await again()

            #expect(unchanged.status == 304)
            #expect(unchanged.bytes.isEmpty)
            #expect(changed.status == 200)
        }
    }

    @Test func `a rename keeps the id, a closed account ends its tokens`() async throws {
        try await GitHubSimulator.running { github in
            let ada = try github.ada
            let token = github.accessToken(for: ada, application: github.defaultApplication)

            github.update(personID: ada.id) { $0.login = "countess" }
            let renamed = try await github.api("/user", token: token).json
            github.remove(personID: ada.id)
            let removed = try await github.api("/user", token: token)

            #expect(renamed["login"] as? String == "countess")
            #expect(renamed["id"] as? Int64 == ada.id)
            #expect(removed.status == 401)
            #expect(github.people().map(\.login) == ["ben", "cleo"])
        }
    }

    @Test func `an unknown path of the API is not found in JSON`() async throws {
        try await GitHubSimulator.running { github in
            let answer = try await github.api("/nothing/here")

            #expect(answer.status == 404)
            #expect(try answer.json["message"] as? String == "Not Found")
        }
    }
}
