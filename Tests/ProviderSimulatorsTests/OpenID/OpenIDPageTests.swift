import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("The OpenID simulator's pages, devices and control calls")
struct OpenIDPageTests {
    @Test func `the status page shows users and applications, and no secret`() async throws {
        try await OpenIDSimulator.running { issuer in
            issuer.add(.init(subject: "<b>x</b>", claims: ["name": "<script>"]))
            let page = try await WebClient.get(issuer.url + "/")
            #expect(page.text.contains("Ada Example") && page.text.contains(issuer.defaultApplication.clientID))
            #expect(!page.text.contains(issuer.defaultApplication.clientSecret ?? "?"))
            #expect(!page.text.contains("<script>") && page.text.contains("&lt;script&gt;"))
        }
    }

    @Test func `the consent page shows everybody with a picture`() async throws {
        try await OpenIDSimulator.running { issuer in
            issuer.add(.init(subject: "a/b c", claims: ["name": "Odd Subject"]))
            let page = try await issuer.authorize()
            let pictures = page.text.matches(of: /src="([^"]+)"/).map { String($0.1) }
            #expect(page.status == 200 && pictures.count == issuer.people().count)
            for picture in pictures {
                let answer = try await WebClient.get(issuer.url + picture)
                #expect(answer.status == 200 && answer.header("content-type") == "image/svg+xml", "\(picture)")
            }
        }
    }

    @Test func `the user enters the device's code and approves it`() async throws {
        try await OpenIDSimulator.running { issuer in
            let started = try JSONValue(
                parsing: await WebClient.post(
                    issuer.url + "/device_authorization",
                    ["client_id": issuer.defaultApplication.clientID, "scope": "openid email"]
                ).bytes)
            let (userCode, deviceCode) = (
                try #require(started["user_code"]?.string), try #require(started["device_code"]?.string)
            )
            let poll = [
                (name: "grant_type", value: "urn:ietf:params:oauth:grant-type:device_code"),
                (name: "device_code", value: deviceCode),
            ]
            let waiting = try await issuer.token(poll)
            let hasty = try await issuer.token(poll)
            let page = try await WebClient.post(issuer.url + "/device", ["user_code": userCode.lowercased()])
            let done = try await WebClient.post(
                issuer.url + "/device",
                [
                    "user_code": userCode, "person": issuer.ada.subject, "scope": "openid", "decision": "authorize",
                ])
            issuer.clock.advance(by: 60)
            let granted = try await issuer.token(poll)

            #expect(waiting.body["error"] == "authorization_pending" && hasty.body["error"] == "slow_down")
            #expect(page.text.contains("Ada Example") && done.text.contains("connected"))
            #expect(granted.body["id_token"] != nil && granted.body["scope"] == "openid")
        }
    }

    @Test func `control calls create users, applications, codes and tokens`() async throws {
        try await OpenIDSimulator.running { issuer in
            func post(_ name: String, _ body: String) async throws -> JSONValue {
                try JSONValue(parsing: await WebClient.json("POST", "\(issuer.url)/_simulator/\(name)", body).bytes)
            }
            let person = try await post("people", #"{"sub":"zoe","claims":{"email":"zoe@example.com"}}"#)
            let application = try await post("applications", #"{"name":"CLI"}"#)
            let code = try await post("authorization-codes", #"{"sub":"zoe"}"#)
            let token = try await post("id-tokens", #"{"sub":"zoe","nonce":"n"}"#)
            let unknown = try await post("id-tokens", #"{"sub":"nobody"}"#)

            #expect(person["sub"] == "zoe" && issuer.person(subject: "zoe")?.claims["email"] == "zoe@example.com")
            #expect(issuer.applications().contains { $0.clientID == application["clientId"]?.string })
            let redeemed = try await issuer.redeem(try #require(code["code"]?.string))
            #expect(redeemed.status == 200)
            #expect(try issuer.claims(of: try #require(token["idToken"]?.string))["nonce"] == "n")
            #expect(unknown["error"] != nil)
        }
    }

    @Test func `an endpoint fails as planned, and is counted`() async throws {
        try await OpenIDSimulator.running { issuer in
            issuer.fail(.keys, with: .status(503), times: 1)
            let first = try await WebClient.get(issuer.url + "/keys")
            let second = try await WebClient.get(issuer.url + "/keys")
            #expect(first.status == 503 && second.status == 200 && issuer.hits(.keys) == 2)
            #expect(issuer.requests(.keys).count == 2)
        }
    }
}
