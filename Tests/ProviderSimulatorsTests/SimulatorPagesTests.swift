import Crypto
import Foundation
import ProviderSimulators
import Testing

@Suite("GitHub simulator: pages and control interface")
struct SimulatorPagesTests {
    @Test func `the consent page says what it is and offers everybody`() async throws {
        try await GitHubSimulator.running { github in
            let page = try await WebClient.get(
                github.authorizeURL([
                    "client_id": github.defaultApplication.clientID, "scope": "user:email", "login": "ben",
                ]))

            #expect(page.header("content-type") == "text/html; charset=utf-8")
            #expect(page.text.contains("This is a simulator."))
            #expect(page.text.contains(#"<html lang="en">"#))
            #expect(page.text.contains(#"name="scope" value="user:email" checked"#))
            for person in github.people() { #expect(page.text.contains(#"value="\#(person.id)""#)) }
            #expect(page.text.contains(#"value="\#(try github.person("ben").id)" required checked"#))
            #expect(page.text.matches(of: /required checked/).count == 1)
            #expect(!page.text.contains("http://") && !page.text.contains("https://") && !page.text.contains("<script"))
            let policy = try #require(page.header("content-security-policy"))
            let style = try #require(page.text.firstMatch(of: /<style>([^<]*)<\/style>/)?.output.1)
            let digest = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
            #expect(policy.contains("default-src 'none'; style-src 'sha256-\(digest)';"))
        }
    }

    @Test func `the pages escape the names of users and applications`() async throws {
        let hostile = #"<script>alert("1")</script>'&"#
        let application = GitHubSimulator.Application(callbackURL: "http://127.0.0.1/" + hostile, name: hostile)
        try await GitHubSimulator.running(.init(application: application)) { github in
            github.add(.init(login: hostile, name: hostile, emails: [.init(address: hostile)]))
            let query: KeyValuePairs = ["client_id": application.clientID, "scope": hostile]
            let pages = [
                try await WebClient.get(github.authorizeURL(query)), try await WebClient.get(github.url + "/"),
                try await WebClient.post(github.url + "/login/device", ["user_code": hostile]),
            ]

            for page in pages {
                #expect(!page.text.contains("<script"))
                #expect(!page.text.contains(#""1""#))
            }
            #expect(pages[0].text.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;"))
        }
    }

    @Test func `the front page lists users and registrations`() async throws {
        try await GitHubSimulator.running { github in
            let page = try await WebClient.get(github.url + "/")

            #expect(page.text.contains("ada@example.com"))
            #expect(page.text.contains("cleo@example.com (primary, not verified)"))
            #expect(page.text.contains(github.defaultApplication.clientID))
            #expect(!page.text.contains(github.defaultApplication.clientSecret))
        }
    }

    @Test func `users have pictures`() async throws {
        try await GitHubSimulator.running { github in
            let ada = try github.ada
            let token = github.accessToken(for: ada, application: github.defaultApplication)
            let address = try #require(try await github.api("/user", token: token).json["avatar_url"] as? String)

            let picture = try await WebClient.get(address)

            #expect(picture.status == 200)
            #expect(picture.header("content-type") == "image/svg+xml")
        }
    }

    @Test func `curl gets a code and a token without a browser`() async throws {
        try await GitHubSimulator.running { github in
            let control = github.url + "/_simulator/"

            let code = try await WebClient.json(
                "POST", control + "authorization-codes",
                #"{"login":"ada","clientId":"\#(github.defaultApplication.clientID)","scopes":["user"]}"#)
            let token = try await WebClient.json("POST", control + "access-tokens", #"{"login":"ben"}"#)

            #expect(try code.json["redirectUri"] as? String == github.defaultApplication.callbackURL)
            let redeemed = try await github.redeem(try code.json["code"] as? String ?? "").json
            #expect(redeemed["scope"] as? String == "user")
            let user = try await github.api("/user", token: try token.json["accessToken"] as? String ?? "").json
            #expect(user["login"] as? String == "ben")
        }
    }

    @Test func `the control interface refuses what it does not understand`() async throws {
        try await GitHubSimulator.running { github in
            let control = github.url + "/_simulator/"

            #expect(try await WebClient.json("POST", control + "access-tokens", "{").status == 400)
            #expect(try await WebClient.json("POST", control + "access-tokens", #"{"login":7}"#).status == 400)
            #expect(try await WebClient.json("POST", control + "access-tokens", #"{"login":"zed"}"#).status == 404)
            #expect(
                try await WebClient.json(
                    "POST", control + "access-tokens", #"{"login":"ada","clientId":"x"}"#
                ).status == 404)
            let unknownFault = try await WebClient.json("POST", control + "faults", #"{"endpoint":"x","status":500}"#)
            #expect(unknownFault.status == 400)
            #expect(unknownFault.text.contains("accessToken"))
        }
    }

    @Test func `web pages of other origins cannot use the control interface`() async throws {
        try await GitHubSimulator.running { github in
            let form = try await WebClient.post(github.url + "/_simulator/access-tokens", ["login": "ada"])
            let rebound = try await WebClient.send(
                "GET", github.url + "/_simulator/applications", headers: ["host": "evil.example.test"])
            let own = try await WebClient.send(
                "GET", github.url + "/_simulator/applications", headers: ["host": "localhost:80"])

            #expect(form.status == 415)
            #expect(rebound.status == 403)
            #expect(own.status == 200)
        }
    }

    @Test func `curl can add users and registrations`() async throws {
        try await GitHubSimulator.running { github in
            let control = github.url + "/_simulator/"

            let person = try await WebClient.json(
                "POST", control + "people",
                #"{"login":"eve","emails":[{"email":"eve@example.com","verified":false}]}"#)
            let application = try await WebClient.json(
                "POST", control + "applications", #"{"name":"App","kind":"gitHubApp","deviceFlow":true}"#)

            #expect(try github.person("eve").emails == [.init(address: "eve@example.com", verified: false)])
            #expect(try person.json["id"] as? Int64 == (try github.person("eve").id))
            let clientID = try application.json["clientId"] as? String
            #expect(github.applications().last?.clientID == clientID)
            #expect(github.applications().last?.kind == .gitHubApp())
        }
    }

    @Test func `faults and time can be controlled by curl`() async throws {
        try await GitHubSimulator.running(.init(clock: .stopped(at: .epoch))) { github in
            let control = github.url + "/_simulator/"

            _ = try await WebClient.json(
                "POST", control + "faults", #"{"endpoint":"user","status":500,"body":"x","times":1}"#)
            let failed = try await github.api("/user")
            _ = try await WebClient.json("POST", control + "faults", #"{"endpoint":"user","status":500}"#)
            _ = try await WebClient.send("DELETE", control + "faults")
            let recovered = try await github.api("/user")
            let clock = try await WebClient.json("POST", control + "clock", #"{"advanceBy":60}"#)
            let hits = try await WebClient.get(control + "hits")

            #expect(failed.status == 500)
            #expect(recovered.status == 401)
            #expect(try clock.json["now"] as? String == "2023-11-14T22:14:20Z")
            #expect(try hits.json["user"] as? Int == 2)
        }
    }
}
