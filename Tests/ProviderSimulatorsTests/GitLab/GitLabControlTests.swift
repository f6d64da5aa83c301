import Foundation
import ProviderSimulators
import Testing

@Suite("GitLab simulator: pages, faults and control interface")
struct GitLabControlTests {
    @Test func `the front page lists users and registrations, and no secret`() async throws {
        try await GitLabSimulator.running(.init(pathPrefix: "/gitlab")) { gitlab in
            let origin = gitlab.url.replacing("/gitlab", with: "")
            let page = try await WebClient.get(origin + "/")
            #expect(page.text.contains("ada@example.com (confirmed)"))
            #expect(page.text.contains(gitlab.defaultApplication.clientID))
            #expect(page.text.contains("curl \(origin)/_simulator/access-tokens"))
            #expect(!page.text.contains(gitlab.defaultApplication.clientSecret))
        }
    }

    @Test func `the pages escape the names of users and applications`() async throws {
        let hostile = #"<script>alert("1")</script>"#
        let application = GitLabSimulator.Application(name: hostile)
        try await GitLabSimulator.running(.init(application: application)) { gitlab in
            gitlab.add(.init(username: hostile, name: hostile, email: hostile))
            for page in [
                try await WebClient.get(gitlab.authorizeURL(["state": hostile])),
                try await WebClient.get(gitlab.url + "/"),
                try await WebClient.get(gitlab.url + "/oauth/device?user_code=%3Cscript%3E"),
            ] {
                #expect(page.status == 200 && !page.text.contains("<script"))
            }
        }
    }

    @Test func `curl creates users, codes and tokens without a browser`() async throws {
        try await GitLabSimulator.running { gitlab in
            let control = gitlab.url + "/_simulator/"
            let person = try await WebClient.json(
                "POST", control + "people", #"{"username":"dan","email":"dan@example.com","confirmed":false}"#)
            #expect(try person.json["confirmed"] as? Bool == false)
            let application = try await WebClient.json(
                "POST", control + "applications", #"{"name":"Curl","confidential":false}"#)
            let clientID = try #require(try application.json["clientId"] as? String)
            let code = try await WebClient.json(
                "POST", control + "authorization-codes", #"{"username":"dan","nonce":"n"}"#)
            #expect(try await gitlab.redeem(try #require(try code.json["code"] as? String)).status == 200)
            let access = try await WebClient.json(
                "POST", control + "access-tokens", #"{"username":"ada","clientId":"\#(clientID)"}"#)
            #expect(gitlab.isLive(token: try #require(try access.json["accessToken"] as? String)))
            let idToken = try await WebClient.json("POST", control + "id-tokens", #"{"username":"ada","nonce":"n"}"#)
            let claims = try GitLabSimulator.claims(of: try idToken.json["idToken"])
            #expect(claims["nonce"] as? String == "n")
            #expect(try await WebClient.get(control + "people").jsonArray.count == 4)
            #expect(try await WebClient.json("POST", control + "access-tokens", #"{"username":"x"}"#).status == 404)
        }
    }

    @Test(arguments: GitLabSimulator.Endpoint.allCases)
    func `every endpoint can be made to fail, and is counted`(endpoint: GitLabSimulator.Endpoint) async throws {
        try await GitLabSimulator.running { gitlab in
            gitlab.fail(endpoint, with: .status(503, body: "down"), times: 1)
            let (method, path) = Self.calls[endpoint] ?? ("GET", "/")
            let broken = try await WebClient.send(method, gitlab.url + path)
            let honest = try await WebClient.send(method, gitlab.url + path)

            #expect(broken.status == 503 && broken.text == "down" && honest.status != 503)
            #expect(gitlab.hits(endpoint) == 2 && gitlab.requests(endpoint).count == 2)
        }
    }

    private static let calls: [GitLabSimulator.Endpoint: (String, String)] = [
        .authorize: ("GET", "/oauth/authorize"), .token: ("POST", "/oauth/token"), .revoke: ("POST", "/oauth/revoke"),
        .introspect: ("POST", "/oauth/introspect"), .tokenInfo: ("GET", "/oauth/token/info"),
        .userinfo: ("GET", "/oauth/userinfo"), .keys: ("GET", "/oauth/discovery/keys"),
        .discovery: ("GET", "/.well-known/openid-configuration"), .deviceCode: ("POST", "/oauth/authorize_device"),
        .devicePage: ("GET", "/oauth/device"), .user: ("GET", "/api/v4/user"), .emails: ("GET", "/api/v4/user/emails"),
    ]
}
