import Foundation
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("Apple simulator: refresh, revocation and metadata")
struct AppleGrantTests {
    @Test func `a refresh brings an access token and nothing else, as often as one likes`() async throws {
        try await AppleSimulator.running { apple in
            let token = try await apple.redeem(try apple.code()).string("refresh_token")

            let first = try await apple.refresh(token)
            apple.clock.advance(by: .seconds(400 * 86_400))
            let second = try await apple.refresh(token)
            apple.behaviour.sendsIDTokenOnRefresh = true
            let third = try await apple.refresh(token)

            #expect(Set(try first.json.keys) == ["access_token", "token_type", "expires_in"])
            #expect(try second.status == 200 && second.string("access_token") != first.string("access_token"))
            #expect(try await apple.claims(of: try third.string("id_token"))["nonce"] == nil)
        }
    }

    @Test func `a limit of one a day can be switched on`() async throws {
        try await AppleSimulator.running { apple in
            apple.behaviour.refreshesPerDay = 1
            let token = apple.refreshToken(for: try apple.ada, application: apple.defaultApplication)

            let first = try await apple.refresh(token)
            let second = try await apple.refresh(token)
            apple.clock.advance(by: .seconds(86_400))
            let third = try await apple.refresh(token)

            #expect(first.status == 200 && second.status == 429 && third.status == 200)
        }
    }

    @Test func `a refresh token is valid only for its client and an existing user`() async throws {
        try await AppleSimulator.running { apple in
            let token = apple.refreshToken(for: try apple.ada, application: apple.defaultApplication)
            let stolen = try await apple.refresh(token, as: apple.nativeApplication)
            apple.remove(personID: try apple.ada.id)
            let dead = try await apple.refresh(token)

            #expect(try stolen.string("error") == "invalid_grant" && dead.string("error") == "invalid_grant")
        }
    }

    @Test(arguments: ["refresh_token", "access_token"])
    func `revoking either token ends everything for the whole team`(kind: String) async throws {
        try await AppleSimulator.running { apple in
            let tokens = try await apple.redeem(try apple.code())
            let other = apple.refreshToken(for: try apple.ada, application: apple.nativeApplication)
            let waiting = try apple.code()

            let answer = try await apple.post("/auth/revoke", ["token": try tokens.string(kind)])

            #expect(answer.status == 200 && answer.bytes.isEmpty)
            #expect(!apple.isLive(token: try tokens.string("refresh_token")) && !apple.isLive(token: other))
            #expect(try await apple.redeem(waiting).status == 400)
            let next = apple.nativeCredential(for: try apple.ada, application: apple.nativeApplication)
            #expect(next.givenName == "Ada")
        }
    }

    @Test func `revocation always succeeds, also when it does nothing`() async throws {
        try await AppleSimulator.running { apple in
            let token = apple.refreshToken(for: try apple.ada, application: apple.nativeApplication)

            let bogus = try await apple.post("/auth/revoke", ["token": "bogus"])
            let foreign = try await apple.post("/auth/revoke", ["token": token, "token_type_hint": "access_token"])

            #expect(bogus.status == 200 && foreign.status == 200)
            #expect(apple.isLive(token: token))
        }
    }

    @Test func `revocation reports only errors of the client`() async throws {
        try await AppleSimulator.running { apple in
            let refused = try await apple.post("/auth/revoke", secret: "x", ["token": "t"])
            let empty = try await apple.post("/auth/revoke", ["token_type_hint": "refresh_token"])

            #expect(try refused.status == 400 && refused.string("error") == "invalid_client")
            #expect(try empty.status == 400 && empty.string("error") == "invalid_request")
        }
    }

    @Test func `at least three keys are published, in changing order and without cache headers`() async throws {
        try await AppleSimulator.running { apple in
            func answer() async throws -> WebClient.Answer { try await WebClient.get(apple.url + "/auth/keys") }
            func names() async throws -> [String] {
                let keys = try #require(try await answer().json["keys"] as? [[String: Any]])
                return keys.compactMap { $0["kid"] as? String }
            }
            let first = try await answer()
            var orders: Set<[String]> = []
            for _ in 0..<40 { orders.insert(try await names()) }
            let before = apple.keys.currentKeyID
            apple.keys.rotate()

            #expect(first.header("cache-control") == nil && first.header("expires") == nil)
            #expect(orders.count > 1 && Set(orders.map(Set.init)).count == 1)
            #expect(orders.allSatisfy { $0.count == 3 && $0.allSatisfy { $0.utf8.count == 10 } })
            let after = try await names()
            #expect(after.count == 4 && after.contains(before) && after.contains(apple.keys.currentKeyID))
            #expect(before != apple.keys.currentKeyID)
        }
    }

    @Test func `discovery says what Apple's says`() async throws {
        try await AppleSimulator.running { apple in
            let document = try await WebClient.get(apple.url + "/.well-known/openid-configuration").json

            #expect(document["issuer"] as? String == apple.url)
            #expect(document["revocation_endpoint"] as? String == apple.url + "/auth/revoke")
            #expect(document["response_types_supported"] as? [String] == ["code"])
            #expect(document["token_endpoint_auth_methods_supported"] as? [String] == ["client_secret_post"])
            #expect(document["userinfo_endpoint"] == nil && document["code_challenge_methods_supported"] == nil)
        }
    }

    @Test func `a request may come in the query, and not as JSON`() async throws {
        try await AppleSimulator.running { apple in
            let client = WebClient.encode([
                "client_id": apple.defaultApplication.clientID, "client_secret": try apple.secret(),
                "grant_type": "authorization_code", "code": try apple.code(),
                "redirect_uri": apple.defaultApplication.returnURLs[0],
            ])
            let query = try await WebClient.send("POST", apple.url + "/auth/token?" + client)
            let json = try await WebClient.json("POST", apple.url + "/auth/token", #"{"grant_type":"x"}"#)
            let odd = try await apple.post("/auth/token", ["grant_type": "password"])
            let none = try await apple.post("/auth/token", ["code": "c"])

            #expect(query.status == 200)
            #expect(try json.string("error") == "invalid_request" && none.string("error") == "invalid_request")
            #expect(try odd.string("error") == "unsupported_grant_type")
        }
    }

    @Test func `faults hit the endpoint they were planned for`() async throws {
        try await AppleSimulator.running { apple in
            apple.fail(.keys, with: .status(503), times: 1)

            let failed = try await WebClient.get(apple.url + "/auth/keys")
            let recovered = try await WebClient.get(apple.url + "/auth/keys")

            #expect(failed.status == 503 && recovered.status == 200)
            #expect(apple.hits(.keys) == 2 && apple.hits(.token) == 0)
        }
    }
}
