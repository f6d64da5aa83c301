import BrokerStore
import JOSE
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("rate limits and tokens of sessions that have ended")
struct EndedTokenTests {
    static let attacker = "203.0.113.66"
    static let home = "203.0.113.7"
    /// The unproven requests of an address.
    static let unproven = 20

    /// A broker behind a trusted proxy, so that a test's clients have addresses of their own.
    static func run(
        _ change: (inout Configuration) -> Void = { _ in }, _ test: (TestBroker) async throws -> Void
    ) async throws {
        try await TestBroker.runWithTwoProviders(
            { configuration in
                configuration.publicURL = TestBrowser.publicURL
                configuration.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self)
                var limits = RateLimits()
                (limits.unprovenRequests, limits.failures, limits.requestsPerUser) = (unproven, 5, 30)
                configuration.rateLimits = limits
                change(&configuration)
            }, test)
    }

    static func from(_ address: String) -> HTTPHeaders { ["X-Forwarded-For": address] }

    /// Where an app sends the ID token of its user.
    enum Door: CaseIterable, Sendable {
        case lookup, update, link, delete, signOut, signOutAll, revokeToken, createAuthURI
    }

    static func knock(
        _ door: Door, _ idToken: String, from address: String, at broker: TestBroker
    ) async throws -> Answer {
        var body: JSONObject = ["idToken": .string(idToken)]
        let path: String
        switch door {
        case .lookup: path = "/v1/accounts:lookup"
        case .update:
            path = "/v1/accounts:update"
            body["displayName"] = "Ada"
        case .link:
            path = "/v1/accounts:signInWithIdp"
            let provider = "github.work"
            let token = broker.simulator.accessToken(
                for: try broker.person("ada"), application: broker.simulator.application(of: provider))
            body["requestUri"] = "http://localhost"
            body["returnSecureToken"] = true
            body["postBody"] = .string("access_token=\(token)&providerId=\(provider)")
        case .delete: path = "/v1/accounts:delete"
        case .signOut: path = "/v1/broker/sessions:signOut"
        case .signOutAll: path = "/v1/broker/sessions:signOutAll"
        case .revokeToken:
            path = "/v2/accounts:revokeToken"
            body["providerId"] = "github.com"
            body["tokenType"] = "ACCESS_TOKEN"
            body["token"] = "none"
        case .createAuthURI:
            path = "/v1/accounts:createAuthUri"
            body["providerId"] = "github.com"
            body["continueUri"] = "http://localhost/callback"
        }
        return try await broker.post(path, .object(body), headers: from(address))
    }

    /// Two sessions of one user, of which the first has been signed out.
    static func sessions(at broker: TestBroker) async throws -> (ended: Answer, living: Answer) {
        let ended = try await broker.signIn(broker.person("ada"))
        let living = try await broker.signIn(broker.person("ada"))
        let signedOut = try await knock(.signOut, ended.string("idToken"), from: home, at: broker)
        #expect(signedOut.status == 200, "\(signedOut)")
        return (ended, living)
    }

    /// Everything that a user does with an ID token; the user is gone afterwards.
    private static func expectAnswers(_ session: Answer, from address: String, at broker: TestBroker) async throws {
        let token = try session.string("idToken")
        for door in [Door.lookup, .update, .createAuthURI, .lookup] {
            let answer = try await knock(door, token, from: address, at: broker)
            #expect(answer.status == 200, "\(door): \(answer)")
        }
        let linked = try await knock(.link, token, from: address, at: broker)
        #expect(linked.status == 200 && linked["idToken"] != nil, "\(linked)")
        #expect(try await knock(.signOut, token, from: address, at: broker).status == 200)
        let deleted = try await knock(.delete, linked.string("idToken"), from: address, at: broker)
        #expect(deleted.status == 200, "\(deleted)")
    }

    static func isTooMany(_ answer: Answer) -> Bool {
        answer.status == 429 || answer.code == "TOO_MANY_ATTEMPTS_TRY_LATER"
    }

    // The dead token comes from another address than its user, or from the user's own.
    @Test(arguments: Door.allCases, [attacker, home])
    func `a dead token counts against its address alone, and its user notices nothing`(
        door: Door, address: String
    ) async throws {
        try await Self.run { broker in
            let (ended, living) = try await Self.sessions(at: broker)
            let token = try ended.string("idToken")
            var answers: [Answer] = []
            for _ in 0..<60 { answers.append(try await Self.knock(door, token, from: address, at: broker)) }

            #expect(answers.prefix(Self.unproven).allSatisfy { $0.code == "TOKEN_EXPIRED" }, "\(answers[0])")
            #expect(answers.dropFirst(Self.unproven).allSatisfy(Self.isTooMany))
            // A forged one has no more room either.
            #expect(try await Self.isTooMany(Self.knock(.lookup, "forged", from: address, at: broker)))
            try await Self.expectAnswers(living, from: address, at: broker)
        }
    }

    @Test func `on two brokers a dead token takes nothing from its user at either`() async throws {
        try await Self.run { broker in
            try await broker.withSecondBroker { second in
                let (ended, living) = try await Self.sessions(at: broker)
                for running in [broker, second] {
                    var answers: [Answer] = []
                    for _ in 0..<60 {
                        answers.append(
                            try await Self.knock(.lookup, ended.string("idToken"), from: Self.attacker, at: running))
                    }
                    #expect(answers.count { $0.code == "TOKEN_EXPIRED" } == Self.unproven)
                    #expect(answers.suffix(40).allSatisfy(Self.isTooMany))
                    let looked = try await Self.knock(.lookup, living.string("idToken"), from: Self.home, at: running)
                    #expect(looked.status == 200, "\(looked)")
                }
                try await Self.expectAnswers(living, from: Self.attacker, at: second)
            }
        }
    }

    @Test func `a full address has an expired token refused without a look, and a living one costs one`() async throws {
        try await Self.run { broker in
            let expired = try await broker.signIn(broker.person("ada")).string("idToken")
            broker.clock.advance(seconds: 3700)
            let living = try await broker.signIn(broker.person("ada")).string("idToken")
            try await broker.withSecondBroker { second in
                func knock(_ token: String) async throws -> Answer {
                    try await Self.knock(.lookup, token, from: Self.attacker, at: second)
                }
                var answers: [Answer] = []
                for _ in 0..<Self.unproven { answers.append(try await knock(expired)) }
                #expect(answers.allSatisfy { $0.code == "TOKEN_EXPIRED" }, "\(answers[0])")
                let before = try await knock(living)
                await second.core.store.close()
                var refused: [Answer] = []
                for _ in 0..<10 { refused.append(try await knock(expired)) }
                let after = try await knock(living)

                #expect(refused.allSatisfy(Self.isTooMany), "\(refused[0])")
                #expect([before, after].map(\.status) == [200, 503])
            }
        }
    }

    @Test func `a token found dead costs a full address one look in five seconds`() async throws {
        try await Self.run { broker in
            let ended = try await Self.sessions(at: broker).ended.string("idToken")
            try await broker.withSecondBroker { second in
                func knock() async throws -> Answer {
                    try await Self.knock(.lookup, ended, from: Self.attacker, at: second)
                }
                while try await !Self.isTooMany(knock()) {}
                await second.core.store.close()
                var refused: [Answer] = []
                for _ in 0..<10 { refused.append(try await knock()) }
                broker.clock.advance(seconds: 5)
                let later = try await knock()

                #expect(refused.allSatisfy(Self.isTooMany), "\(refused[0])")
                #expect(later.status == 503, "\(later)")
            }
        }
    }

    @Test func `a user who is enabled again goes on at once, behind a full address within five seconds`() async throws {
        try await Self.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let user = try await broker.signedInUser()
            func disable(_ isDisabled: Bool) async throws {
                try await broker.core.store.write { try $0.setDisabled(isDisabled, of: user) }
            }
            func knock() async throws -> Answer {
                try await Self.knock(.lookup, session.string("idToken"), from: Self.home, at: broker)
            }
            try await disable(true)
            #expect(try await knock().code == "USER_DISABLED")
            try await disable(false)
            #expect(try await knock().status == 200)

            try await disable(true)
            while try await !Self.isTooMany(knock()) {}
            try await disable(false)
            broker.clock.advance(seconds: 5)
            #expect(try await knock().status == 200)
        }
    }

    @Test func `tokens found dead are remembered in bounded memory, for five seconds`() {
        let (tokens, now) = (EndedTokens(), Timestamp(milliseconds: 1_800_000_000_000))
        let later = now.advanced(by: .seconds(5))
        for number in 0..<(EndedTokens.capacity * 2) { tokens.insert(TokenDigest(of: "\(number)"), at: now) }

        let known = (0..<(EndedTokens.capacity * 2)).count { tokens.contains(TokenDigest(of: "\($0)"), at: now) }
        let last = TokenDigest(of: "\(EndedTokens.capacity * 2 - 1)")
        #expect((1...EndedTokens.capacity).contains(known))
        #expect(tokens.contains(last, at: now) && !tokens.contains(last, at: later))
        // A clock that was set back remembers nothing for longer.
        #expect(!tokens.contains(last, at: now.advanced(by: .seconds(-1))))
    }

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
