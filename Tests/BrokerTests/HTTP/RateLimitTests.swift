import BrokerStore
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("rate limits of a running broker")
struct RateLimitTests {
    private static let nat = "203.0.113.7"

    /// A broker behind a trusted proxy, so that a test's clients have addresses of their own.
    private static func run(
        _ change: (inout RateLimits) -> Void, _ test: (TestBroker) async throws -> Void
    ) async throws {
        try await TestBroker.run(
            { configuration in
                configuration.publicURL = TestBrowser.publicURL
                configuration.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self)
                change(&configuration.rateLimits)
            }, test)
    }

    private static func from(_ address: String) -> HTTPHeaders { ["X-Forwarded-For": address] }

    private static func signUp(_ broker: TestBroker, from address: String) async throws -> Answer {
        try await broker.post("/v1/accounts:signUp", ["returnSecureToken": true], headers: from(address))
    }

    private static func refresh(_ broker: TestBroker, _ token: String, from address: String) async throws -> Answer {
        try await broker.post(
            "/v1/token", ["grant_type": "refresh_token", "refresh_token": .string(token)], headers: from(address))
    }

    /// Has an address meet its limit of failures.
    private static func lockOut(_ broker: TestBroker, _ address: String) async throws -> Answer {
        var answer = try await refresh(broker, "forged", from: address)
        while answer.code == "INVALID_REFRESH_TOKEN" { answer = try await refresh(broker, "forged", from: address) }
        return answer
    }

    @Test func `proven callers go on behind an address that is locked out`() async throws {
        try await Self.run({ ($0.unprovenRequests, $0.failures) = (100, 20) }) { broker in
            let session = try await Self.signUp(broker, from: Self.nat)
            let app = try await OAuthApp(at: broker)
            let tokens = try await app.signIn(try await broker.signedInUser())

            let locked = try await Self.lockOut(broker, Self.nat)
            let unproven = try await Self.signUp(broker, from: Self.nat)
            let refreshed = try await Self.refresh(broker, session.string("refreshToken"), from: Self.nat)
            let looked = try await broker.post(
                "/v1/accounts:lookup", ["idToken": .string(refreshed.string("id_token"))], headers: Self.from(Self.nat))
            let backend = try await app.post(
                "/oauth/token",
                [("grant_type", "refresh_token"), ("refresh_token", try tokens.string("refresh_token"))],
                headers: Self.from(Self.nat))
            let info = try await broker.send(
                .GET, "/oauth/userinfo",
                headers: [
                    "Authorization": "Bearer \(try tokens.string("access_token"))", "X-Forwarded-For": Self.nat,
                ])
            let stranger = try await Self.signUp(broker, from: "203.0.113.8")

            for answer in [locked, unproven] {
                #expect(answer.status == 400 && answer.code == "TOO_MANY_ATTEMPTS_TRY_LATER", "\(answer)")
                #expect(answer.headers.first(name: "Retry-After").flatMap { Int($0) }.map { $0 > 0 } == true)
            }
            #expect([refreshed, looked, backend, info, stranger].map(\.status) == [200, 200, 200, 200, 200])
        }
    }

    @Test func `proven requests do not count against their address`() async throws {
        try await Self.run({ ($0.unprovenRequests, $0.failures) = (5, 5) }) { broker in
            let session = try await Self.signUp(broker, from: Self.nat)
            for _ in 0..<20 {
                let answer = try await broker.post(
                    "/v1/accounts:lookup", ["idToken": .string(session.string("idToken"))],
                    headers: Self.from(Self.nat))
                #expect(answer.status == 200)
            }

            #expect(try await Self.signUp(broker, from: Self.nat).status == 200)
        }
    }

    @Test func `the addresses of one IPv6 network count as one`() async throws {
        try await Self.run({ $0.unprovenRequests = 3 }) { broker in
            var answers: [Int] = []
            for number in 1...4 {
                answers.append(try await Self.signUp(broker, from: "2001:db8:0:1::\(number)").status)
            }

            #expect(answers == [200, 200, 200, 400])
            #expect(try await Self.signUp(broker, from: "2001:db8:0:2::1").status == 200)
        }
    }

    @Test func `a client cannot forge the address it counts against`() async throws {
        try await Self.run({ $0.unprovenRequests = 3 }) { broker in
            var answers: [Int] = []
            for number in 1...4 {
                answers.append(try await Self.signUp(broker, from: "10.0.0.\(number), \(Self.nat)").status)
            }

            #expect(answers == [200, 200, 200, 400])
        }
    }

    @Test func `OAuth routes answer 429 with their own form of errors, and pages with a page`() async throws {
        try await Self.run({ $0.unprovenRequests = 1 }) { broker in
            let app = try await OAuthApp(at: broker, .public)
            _ = try await Self.signUp(broker, from: Self.nat)

            let token = try await app.post(
                "/oauth/token", [("grant_type", "authorization_code"), ("code", "none"), ("code_verifier", "none")],
                headers: Self.from(Self.nat))
            let page = try await broker.send(.GET, "/sign-in", headers: Self.from(Self.nat))
            let keys = try await broker.send(.GET, "/oauth/jwks", headers: Self.from(Self.nat))
            let ready = try await broker.send(.GET, "/readyz", headers: Self.from(Self.nat))

            #expect(token.status == 429 && token.oauthError == "temporarily_unavailable", "\(token)")
            #expect(token.headers.first(name: "Retry-After") != nil)
            #expect(page.status == 429 && page.headers.first(name: "Retry-After") != nil)
            #expect(page.text.contains("Too many requests"))
            #expect(keys.status == 200 && ready.status == 200)
        }
    }

    @Test func `a session has ten refreshes a minute, and no other session loses one`() async throws {
        try await Self.run({ $0.refreshes = 10 }) { broker in
            var first = try await Self.signUp(broker, from: Self.nat).string("refreshToken")
            let second = try await Self.signUp(broker, from: Self.nat).string("refreshToken")
            for _ in 0..<10 {
                let answer = try await Self.refresh(broker, first, from: Self.nat)
                first = try answer.string("refresh_token")
            }

            let refused = try await Self.refresh(broker, first, from: "203.0.113.9")
            let other = try await Self.refresh(broker, second, from: Self.nat)
            let seconds = try #require(refused.headers.first(name: "Retry-After").flatMap { Int($0) })
            broker.clock.advance(seconds: Double(seconds))
            let later = try await Self.refresh(broker, first, from: Self.nat)

            #expect(refused.code == "TOO_MANY_ATTEMPTS_TRY_LATER")
            #expect(other.status == 200 && later.status == 200)
        }
    }

    @Test func `failures with a user code lock that code only`() async throws {
        try await Self.run({ ($0.failuresPerUserCode, $0.failures) = (10, 600) }) { broker in
            func look(_ code: String, from address: String) async throws -> Int {
                try await broker.send(.GET, "/device?user_code=\(code)", headers: Self.from(address)).status
            }
            let device = try await TestDevice(at: broker)
            var statuses: Set<Int> = []
            for number in 0..<10 { statuses.insert(try await look("BCDF-GHJK", from: "203.0.113.\(number)")) }

            #expect(!statuses.contains(429))
            #expect(try await look("BCDF-GHJK", from: "203.0.113.99") == 429)
            #expect(try await look("BCDF-GHJL", from: "203.0.113.99") != 429)
            for _ in 0..<30 { #expect(try await look(device.userCode, from: Self.nat) == 200) }
        }
    }

    @Test func `guessing user codes locks out the address that guesses`() async throws {
        try await Self.run({ $0.failures = 5 }) { broker in
            let device = try await TestDevice(at: broker)
            var statuses: [Int] = []
            for letter in "BCDFGH" {
                let path = "/device?user_code=ZZZZ-ZZZ\(letter)"
                statuses.append(try await broker.send(.GET, path, headers: Self.from(Self.nat)).status)
            }
            let path = "/device?user_code=\(device.userCode)"
            let honest = try await broker.send(.GET, path, headers: Self.from("203.0.113.8"))

            #expect(statuses.last == 429 && !statuses.dropLast().contains(429), "\(statuses)")
            #expect(honest.status == 200)
        }
    }

    @Test func `an address asks five times a minute about one e-mail address`() async throws {
        try await Self.run({ $0.identifierQueries = 5 }) { broker in
            func ask(_ email: String, from address: String) async throws -> Answer {
                try await broker.post(
                    "/v1/accounts:createAuthUri",
                    ["identifier": .string(email), "continueUri": "http://localhost"], headers: Self.from(address))
            }
            var statuses: [Int] = []
            for _ in 0..<6 { statuses.append(try await ask("ada@example.com", from: Self.nat).status) }

            #expect(statuses == [200, 200, 200, 200, 200, 400])
            #expect(try await ask("ADA@example.com", from: Self.nat).code == "TOO_MANY_ATTEMPTS_TRY_LATER")
            #expect(try await ask("ben@example.com", from: Self.nat).status == 200)
            #expect(try await ask("ada@example.com", from: "203.0.113.8").status == 200)
        }
    }

    @Test func `an app that uses up its share of an address leaves the rest to others`() async throws {
        try await Self.run({ ($0.unprovenRequests, $0.requestsPerAPIKey) = (100, 3) }) { broker in
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await Self.signUp(broker, from: Self.nat).status) }
            let page = try await broker.send(.GET, "/sign-in", headers: Self.from(Self.nat))

            #expect(statuses == [200, 200, 200, 400])
            #expect(page.status == 200)
            #expect(try await Self.signUp(broker, from: "203.0.113.8").status == 200)
        }
    }

    @Test func `a user's own failures do not touch the address, and stop that user's attempts`() async throws {
        try await Self.run({ $0.failures = 5 }) { broker in
            let session = try await Self.signUp(broker, from: Self.nat)
            func link() async throws -> Answer {
                try await broker.post(
                    "/v1/accounts:signInWithIdp",
                    [
                        "idToken": .string(session.string("idToken")), "requestUri": "http://localhost",
                        "postBody": "access_token=gho_forged&providerId=github.com",
                    ], headers: Self.from(Self.nat))
            }
            var codes: [String?] = []
            for _ in 0..<6 { codes.append(try await link().code) }

            #expect(codes.prefix(5).allSatisfy { $0 == "INVALID_IDP_RESPONSE" }, "\(codes)")
            #expect(codes.last == "TOO_MANY_ATTEMPTS_TRY_LATER")
            #expect(try await Self.signUp(broker, from: Self.nat).status == 200)
        }
    }

    @Test(arguments: ["downloadAccount", "uploadAccount"])
    func `a backend's credential counts at the batch methods of the legacy API, not its address`(
        method: String
    ) async throws {
        try await Self.run({ ($0.unprovenRequests, $0.failures) = (100, 5) }) { broker in
            let token = try await broker.core.sessions.adminCredentials.create(
                named: "backend", scopes: [.readUsers, .writeUsers], lifetime: nil, origin: Origin(.admin)
            ).token.text
            func send(_ root: String, _ credential: String, from address: String) async throws -> Answer {
                var headers = Self.from(address)
                headers.add(name: "Authorization", value: "Bearer \(credential)")
                headers.add(name: "Content-Type", value: "application/json")
                return try await broker.send(
                    .POST, root + "/identitytoolkit/v3/relyingparty/" + method, headers: headers,
                    body: Array(#"{"users":[]}"#.utf8))
            }
            _ = try await Self.lockOut(broker, Self.nat)

            for root in ["", "/www.googleapis.com"] {
                let answer = try await send(root, token, from: Self.nat)
                #expect(answer.status != 429 && answer.code != "TOO_MANY_ATTEMPTS_TRY_LATER", "\(answer)")
                let refused = try await send(root, "forged", from: Self.nat)
                #expect(refused.code == "TOO_MANY_ATTEMPTS_TRY_LATER", "\(refused)")
            }
            for _ in 0..<200 { _ = try await send("", token, from: "203.0.113.8") }
            #expect(try await Self.signUp(broker, from: "203.0.113.8").status == 200)
        }
    }
}
