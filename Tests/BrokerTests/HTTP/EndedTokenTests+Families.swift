import BrokerStore
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

extension EndedTokenTests {
    enum OpenIDDoor: CaseIterable, Sendable {
        case userInfo, me, actor
    }

    private static func knock(
        _ door: OpenIDDoor, _ token: String, of app: OAuthApp, from address: String
    ) async throws -> Answer {
        var headers = from(address)
        switch door {
        case .userInfo, .me:
            headers.add(name: "Authorization", value: "Bearer \(token)")
            return try await app.broker.send(
                .GET, door == .me ? OAuthPaths.account : OAuthPaths.userInfo, headers: headers)
        case .actor:
            return try await app.post(
                OAuthPaths.token,
                [
                    ("grant_type", TokenExchangeGrant.type), ("subject_token", "none"),
                    ("subject_token_type", "urn:ietf:params:oauth:token-type:id_token"), ("provider", "github.com"),
                    ("actor_token", token), ("actor_token_type", NativeApp.accessTokenType), ("scope", "openid"),
                ], headers: headers)
        }
    }

    @Test(arguments: OpenIDDoor.allCases, [true, false])
    func `a dead access token counts against its address alone, and is no failure`(
        door: OpenIDDoor, isExpired: Bool
    ) async throws {
        try await Self.run { broker in
            let app = try await OAuthApp(at: broker, .native)
            let user = try await broker.signedInUser()
            let dead = try await app.signIn(user, scope: "openid account").string("access_token")
            if isExpired {
                broker.clock.advance(seconds: 3700)
            } else {
                _ = try await app.post(OAuthPaths.revocation, [("token", dead)])
            }
            let living = try await app.signIn(user, scope: "openid account").string("access_token")
            var answers: [Answer] = []
            for _ in 0..<60 { answers.append(try await Self.knock(door, dead, of: app, from: Self.attacker)) }

            let refusal = answers[0]
            #expect(refusal.status == (door == .actor ? 400 : 401) && !Self.isTooMany(refusal), "\(refusal)")
            #expect(answers.prefix(Self.unproven).allSatisfy { $0.text == refusal.text })
            #expect(answers.dropFirst(Self.unproven).allSatisfy(Self.isTooMany))
            for _ in 0..<10 {
                for door in [OpenIDDoor.userInfo, .me] {
                    let answer = try await Self.knock(door, living, of: app, from: Self.attacker)
                    #expect(answer.status == 200, "\(answer)")
                }
            }
        }
    }

    @Test func `forged tokens are failures, of both families`() async throws {
        try await Self.run { broker in
            let app = try await OAuthApp(at: broker, .native)
            let user = try await broker.signedInUser()
            let token = try await app.signIn(user, scope: "openid account").string("access_token")
            let idToken = try await broker.signIn(broker.person("ada")).string("idToken")
            for (number, door) in [OpenIDDoor.userInfo, .me].enumerated() {
                let address = "203.0.113.\(100 + number)"
                var answers: [Answer] = []
                for _ in 0..<6 { answers.append(try await Self.knock(door, token + "A", of: app, from: address)) }
                #expect(answers.map(Self.isTooMany) == [false, false, false, false, false, true], "\(door)")
            }
            var answers: [Answer] = []
            for _ in 0..<6 {
                answers.append(try await Self.knock(.lookup, idToken + "A", from: Self.attacker, at: broker))
            }
            #expect(answers.map(\.code).prefix(5).allSatisfy { $0 == "INVALID_ID_TOKEN" })
            #expect(Self.isTooMany(answers[5]))
        }
    }

    @Test func `a refused credential beside a dead token is a failure of the address`() async throws {
        try await Self.run { broker in
            let (ended, living) = try await Self.sessions(at: broker)
            func link(_ session: Answer) async throws -> Answer {
                try await broker.post(
                    "/v1/accounts:signInWithIdp",
                    [
                        "idToken": .string(session.string("idToken")), "requestUri": "http://localhost",
                        "postBody": "access_token=gho_forged&providerId=github.com",
                    ], headers: Self.from(Self.attacker))
            }
            var answers: [Answer] = []
            for _ in 0..<6 { answers.append(try await link(ended)) }

            #expect(answers.prefix(5).allSatisfy { $0.code == "INVALID_IDP_RESPONSE" }, "\(answers)")
            #expect(Self.isTooMany(answers[5]))
            #expect(try await link(living).code == "INVALID_IDP_RESPONSE")
        }
    }

    @Test func `a custom token counts at its sender's address, and its user goes on elsewhere`() async throws {
        let fixture = try ServiceAccountFixture.trusted.get()
        let account = try fixture.account()
        try await Self.run { configuration in
            configuration.serviceAccounts = [account]
            configuration.rateLimits.requestsPerUser = 10
        } _: { broker in
            let token = try fixture.token(ServiceAccountFixture.claims("ada", at: broker.clock.now))
            func signIn(from address: String) async throws -> Answer {
                try await broker.post(
                    "/v1/accounts:signInWithCustomToken", ["token": .string(token), "returnSecureToken": true],
                    headers: Self.from(address))
            }
            let session = try await signIn(from: Self.home)
            var answers: [Answer] = []
            for _ in 0..<30 { answers.append(try await signIn(from: Self.attacker)) }

            #expect(answers.prefix(10).allSatisfy { $0.status == 200 }, "\(answers[0])")
            #expect(answers.dropFirst(10).allSatisfy(Self.isTooMany))
            #expect(try await signIn(from: Self.home).status == 200)
            let looked = try await Self.knock(.lookup, session.string("idToken"), from: Self.attacker, at: broker)
            #expect(looked.status == 200, "\(looked)")
        }
    }

    @Test func `the refresh token of an ended session counts against its address`() async throws {
        try await Self.run({ $0.rateLimits.refreshes = 10 }) { broker in
            let (ended, living) = try await Self.sessions(at: broker)
            func refresh(_ session: Answer) async throws -> Answer {
                try await broker.post(
                    "/v1/token",
                    ["grant_type": "refresh_token", "refresh_token": .string(session.string("refreshToken"))],
                    headers: Self.from(Self.attacker))
            }
            var answers: [Answer] = []
            for _ in 0..<60 { answers.append(try await refresh(ended)) }

            #expect(answers.prefix(Self.unproven).allSatisfy { $0.code == "TOKEN_EXPIRED" }, "\(answers[0])")
            #expect(answers.dropFirst(Self.unproven).allSatisfy(Self.isTooMany))
            #expect(try await refresh(living).status == 200)
        }
    }

    @Test func `an earlier refresh token takes no refresh from its session where tokens are stable`() async throws {
        try await Self.run({ ($0.rateLimits.refreshes, $0.policy.refreshTokens) = (10, .rotating) }) { broker in
            let earlier = try await broker.signIn(broker.person("ada")).string("refreshToken")
            let current = try await broker.refresh(earlier).string("refresh_token")
            let change: (inout Configuration) -> Void = { $0.policy.refreshTokens = .stable }
            try await broker.withSecondBroker(change) { stable in
                var codes: [String?] = []
                for _ in 0..<15 { codes.append(try await stable.refresh(earlier).code) }
                let refreshed = try await stable.refresh(current)

                #expect(codes.allSatisfy { $0 == "TOKEN_EXPIRED" }, "\(codes)")
                #expect(refreshed.status == 200, "\(refreshed)")
            }
        }
    }
}
