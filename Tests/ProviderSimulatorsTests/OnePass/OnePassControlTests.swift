import Foundation
import ProviderSimulators
import Testing

@Suite("1Pass simulator: pages and control interface")
struct OnePassControlTests {
    private func control(
        _ onePass: OnePassSimulator, _ name: String, _ body: String
    ) async throws -> WebClient.Answer {
        try await WebClient.json("POST", onePass.url + "/_simulator/" + name, body)
    }

    @Test func `the front page lists users and registrations without secrets`() async throws {
        try await OnePassSimulator.running { onePass in
            let page = try await WebClient.get(onePass.url + "/")

            #expect(page.text.contains("This is a simulator."))
            for person in onePass.people() { #expect(page.text.contains("sub \(person.subject)")) }
            #expect(page.text.contains(onePass.defaultApplication.clientID))
            #expect(!page.text.contains(try #require(onePass.defaultApplication.clientSecret)))
        }
    }

    @Test func `the pages escape the names of users and applications`() async throws {
        let hostile = #"<script>alert("1")</script>'&"#
        let application = OnePassSimulator.Application(name: hostile)
        try await OnePassSimulator.running(.init(application: application)) { onePass in
            onePass.add(.init(preferredName: hostile, fullName: hostile, email: .init(hostile)))
            for page in [
                try await WebClient.get(onePass.authorizeURL()), try await WebClient.get(onePass.url + "/"),
                try await WebClient.get(onePass.url + "/oauth/device?user_code=%3Cscript%3E"),
                try await WebClient.post(onePass.url + "/oauth/device", ["user_code": hostile]),
            ] {
                #expect(!page.text.contains("<script"))
            }
        }
    }

    @Test func `control calls sign a user in and merge accounts`() async throws {
        try await OnePassSimulator.running { onePass in
            let verifier = UUID().uuidString + UUID().uuidString
            let dora = try await control(onePass, "people", #"{"name":"dora","email":"dora@example.com"}"#).json
            let code = try await control(
                onePass, "authorization-codes",
                #"{"person":"dora","codeChallenge":"\#(codeChallenge(of: verifier))","nonce":"n"}"#
            ).json
            let redeemed = try await onePass.redeem(code["code"] as? String ?? "", verifier: verifier)
            let merge = try await control(
                onePass, "merges", #"{"absorbed":"dora","survivor":"ada","mergedVia":"t3_otp"}"#)
            let token = try await control(onePass, "tokens", #"{"person":"ada"}"#).json["accessToken"] as? String
            let before = try await onePass.userinfo(token ?? "").json
            _ = try await control(onePass, "behaviour", #"{"linkedSubjects":"strings"}"#)
            let tokens = try await control(onePass, "tokens", #"{"person":"ada"}"#).json
            let person = try await onePass.userinfo(tokens["accessToken"] as? String ?? "").json

            #expect(redeemed.status == 200)
            let linked = try #require(before["linked_subs"] as? [[String: Any]])
            #expect(linked.first?["merged_via"] as? String == "t3_otp")
            #expect(try merge.json["eventId"] is String)
            #expect(person["linked_subs"] as? [String] == [try #require(dora["sub"] as? String)])
            #expect(try await control(onePass, "merges", #"{"absorbed":"dora","survivor":"ada"}"#).status == 422)
        }
    }

    @Test func `a mistaken control call says what is wrong`() async throws {
        try await OnePassSimulator.running { onePass in
            for (call, body, status) in [
                ("tokens", #"{"person":"nobody"}"#, 404), ("tokens", #"{"person":"ada","clientId":"x"}"#, 404),
                ("authorization-codes", #"{"person":"ada"}"#, 400), ("behaviour", #"{"linkedSubjects":"odd"}"#, 400),
                ("faults", #"{"endpoint":"odd","status":500}"#, 400),
                ("merges", #"{"absorbed":"ben","survivor":"ada","mergedVia":"odd"}"#, 400),
            ] {
                let answer = try await control(onePass, call, body)
                #expect(answer.status == status)
                #expect(try answer.json["error"] is String)
            }
        }
    }

    @Test func `an endpoint fails as often as planned and counts its requests`() async throws {
        try await OnePassSimulator.running { onePass in
            _ = try await control(onePass, "faults", #"{"endpoint":"userinfo","status":503,"times":1}"#)
            let token = onePass.accessToken(for: try onePass.named("ada"), application: onePass.defaultApplication)

            #expect(try await onePass.userinfo(token).status == 503)
            #expect(try await onePass.userinfo(token).status == 200)
            #expect(onePass.hits(.userinfo) == 2)
            #expect(onePass.requests(.userinfo).first?.header("authorization") == "Bearer \(token)")
        }
    }
}
