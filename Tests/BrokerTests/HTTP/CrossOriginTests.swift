import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("requests of pages")
struct CrossOriginTests {
    private static func preflight(
        _ broker: TestBroker, _ path: String = "/oauth/token", from origin: String, at address: String? = nil
    ) async throws -> Answer {
        var headers: HTTPHeaders = ["Origin": origin, "Access-Control-Request-Method": "POST"]
        if let address { headers.add(name: "X-Forwarded-For", value: address) }
        return try await broker.send(.OPTIONS, path, headers: headers)
    }

    private static func isAllowed(_ broker: TestBroker, _ origin: String) async throws -> Bool {
        try await preflight(broker, from: origin).headers.first(name: "Access-Control-Allow-Origin") == origin
    }

    /// How many transactions a broker's store has answered.
    private static func work(_ broker: TestBroker) -> [Int] {
        [broker.core.store.statistics.reads, broker.core.store.statistics.writes]
    }

    /// A broker behind a trusted proxy, so that a test's clients have addresses of their own.
    private static func run(
        _ change: (inout RateLimits) -> Void = { _ in }, _ test: (TestBroker) async throws -> Void
    ) async throws {
        try await TestBroker.run(
            { configuration in
                configuration.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self)
                change(&configuration.rateLimits)
            }, test)
    }

    @Test func `of thousands of clients cost no read of the store`() async throws {
        try await Self.run { broker in
            let registrations = try (0..<2000).map {
                try ClientRegistration(kind: .public, name: "Shop", redirectURIs: ["https://app\($0).example/callback"])
            }
            try await broker.core.store.write { transaction in
                for (number, registration) in registrations.enumerated() {
                    try transaction.insert(
                        registration.client(key: transaction.nextKey(), id: "client\(number)", at: transaction.now))
                }
            }
            try await broker.core.openID.clients.origins.reload()
            let before = Self.work(broker)
            for number in [0, 999, 1999] { #expect(try await Self.isAllowed(broker, "https://app\(number).example")) }
            for stranger in ["https://app2000.example", "http://app0.example", "https://APP0.example", "null"] {
                #expect(try await !Self.isAllowed(broker, stranger), "\(stranger)")
            }
            for (method, path) in [(HTTPMethod.GET, "/oauth/jwks"), (.POST, "/oauth/token"), (.GET, "/oauth/userinfo")]
            {
                _ = try await broker.send(method, path, headers: ["Origin": "https://stranger.example"])
            }

            #expect(Self.work(broker) == before)
        }
    }

    @Test func `without a proof are refused at a full address before anything is read`() async throws {
        try await Self.run({ $0.unprovenRequests = 3 }) { broker in
            let app = try await OAuthApp(at: broker, .public)
            let native = try await OAuthApp(at: broker, .native)
            let user = try await broker.signedInUser()
            let there: HTTPHeaders = ["X-Forwarded-For": "203.0.113.7", "Origin": "https://shop.example"]
            for _ in 0..<3 {
                let answer = try await app.post("/oauth/token", [("grant_type", "authorization_code")], headers: there)
                #expect(answer.status == 400 && answer.oauthError == "invalid_request", "\(answer)")
            }
            let tokens = try await native.signIn(user)
            let before = Self.work(broker)
            var refused: [Answer] = []
            for form in [
                [("grant_type", "authorization_code"), ("code", "none"), ("code_verifier", "none")],
                [("grant_type", TestDevice.grantType), ("device_code", "none")],
                [("grant_type", "refresh_token"), ("refresh_token", "ort1_forged")],
            ] {
                refused.append(try await app.post("/oauth/token", form, headers: there))
            }
            for path in ["/oauth/par", "/oauth/revoke", "/oauth/device_authorization"] {
                refused.append(try await app.post(path, [("token", "none")], headers: there))
            }
            let after = Self.work(broker)
            let refreshed = try await native.post(
                "/oauth/token",
                [("grant_type", "refresh_token"), ("refresh_token", try tokens.string("refresh_token"))],
                headers: there)

            #expect(refused.map(\.status) == [429, 429, 429, 429, 429, 429], "\(refused)")
            #expect(after == before)
            #expect(refreshed.status == 200)
        }
    }

    @Test func `have their preflights limited by address, apart from other requests`() async throws {
        try await Self.run({ $0.unprovenRequests = 3 }) { broker in
            func preflights(_ path: String, at address: String) async throws -> [Int] {
                var statuses: [Int] = []
                for _ in 0..<4 {
                    statuses.append(
                        try await Self.preflight(broker, path, from: "https://app.example", at: address).status)
                }
                return statuses
            }
            func signUp(at address: String) async throws -> Int {
                try await broker.post(
                    "/v1/accounts:signUp", ["returnSecureToken": true], headers: ["X-Forwarded-For": address]
                ).status
            }

            #expect(try await preflights("/oauth/token", at: "203.0.113.7") == [204, 204, 204, 429])
            #expect(try await preflights("/v1/token", at: "203.0.113.8") == [204, 204, 204, 400])
            #expect(try await signUp(at: "203.0.113.7") == 200, "a preflight takes nothing from other requests")
            for _ in 0..<4 { _ = try await signUp(at: "203.0.113.9") }
            #expect(try await signUp(at: "203.0.113.9") == 400)
            let page = try await Self.preflight(broker, from: "https://app.example", at: "203.0.113.9")
            #expect(page.status == 204, "pages of signed-in users go on at a full address")
            let refused = try await Self.preflight(broker, from: "https://app.example", at: "203.0.113.7")
            #expect(refused.headers.first(name: "Retry-After") != nil)
        }
    }

    @Test func `follow a change of a client at once, and at another broker with its next read`() async throws {
        try await Self.run { broker in
            let clients = broker.core.openID.clients
            try await broker.withSecondBroker { other in
                let app = try await OAuthApp(at: broker, .public, redirectURIs: ["https://old.example/cb"])
                #expect(try await Self.isAllowed(broker, "https://old.example"))
                #expect(try await !Self.isAllowed(other, "https://old.example"))
                try await other.core.openID.clients.origins.reload()
                #expect(try await Self.isAllowed(other, "https://old.example"))

                let changes = ClientChanges(redirectURIs: ["https://new.example/cb"])
                _ = try await clients.update(id: app.client.id, changes, origin: Origin(.admin))
                #expect(try await Self.isAllowed(broker, "https://new.example"))
                #expect(try await !Self.isAllowed(broker, "https://old.example"))

                _ = try await clients.remove(id: app.client.id, origin: Origin(.admin))
                #expect(try await !Self.isAllowed(broker, "https://new.example"))
            }
        }
    }

    @Test func `follow a change at another broker by themselves`() async throws {
        try await Self.run { broker in
            try await broker.withSecondCore { core in
                var intervals = BackgroundIntervals.still
                intervals.providers = .milliseconds(20)
                try await TestBroker.serve(core, intervals: intervals) { url in
                    let other = TestBroker(
                        core: core, url: url, apiKey: broker.apiKey, simulator: broker.simulator, clock: broker.clock,
                        folder: broker.folder)
                    _ = try await OAuthApp(at: broker, .public, redirectURIs: ["https://new.example/cb"])
                    let deadline = ContinuousClock.now + .seconds(120)
                    while try await !Self.isAllowed(other, "https://new.example") {
                        try #require(ContinuousClock.now < deadline)
                    }
                }
            }
        }
    }
}
