import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

/// Each request says where it comes from, as a proxy would: `X-Forwarded-For`.
@Suite("what strangers can have the store keep")
struct OpenRowLimitTests {
    private static func run(
        perAddress: Int, total: Int = 100_000, _ test: (TestBroker) async throws -> Void
    ) async throws {
        try await TestBroker.run {
            $0.limits.perAddress = perAddress
            $0.limits.total = total
            $0.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self)
        } _: { broker in
            var application = broker.simulator.defaultApplication
            application.callbackURL = AppSignIn.page
            broker.simulator.register(application)
            try await test(broker)
        }
    }

    /// A sign-in that an app has begun for a user at an address.
    private static func begin(_ broker: TestBroker, from address: String) async throws -> Answer {
        let answer = try await broker.post(
            "/v1/accounts:createAuthUri",
            ["providerId": "github.com", "continueUri": .string(AppSignIn.page)],
            headers: ["X-Forwarded-For": address])
        try #require(answer.status == 200, "\(answer.text)")
        return answer
    }

    /// What comes of it when its user comes back from the provider.
    private static func finish(_ begun: Answer, _ broker: TestBroker) async throws -> Answer {
        let redirect = try await ProviderRedirect.take(to: begun.string("authUri"), as: "ada@example.com")
        return try await AppSignIn(broker: broker, answer: begun, redirect: redirect).finish()
    }

    private static func rows(_ broker: TestBroker, _ table: OpenTable = .signInAttempts) async throws -> Int {
        try await broker.core.store.read { try $0.rows(in: table) }
    }

    @Test func `clients that their proxy does not know replace no row of each other, and those it names are clients`()
        async throws
    {
        try await Self.run(perAddress: 10) { broker in
            for _ in 1...15 { _ = try await Self.begin(broker, from: "unknown") }
            let unknown = try await Self.rows(broker)
            for _ in 1...15 { _ = try await Self.begin(broker, from: "_hidden") }

            #expect(unknown == 15)
            #expect(try await Self.rows(broker) == 15 + 10)
        }
    }

    @Test func `the oldest row of one address is removed, no request is refused, and other addresses keep their rows`()
        async throws
    {
        try await Self.run(perAddress: 10) { broker in
            let other = try await Self.begin(broker, from: "192.0.2.1")
            let first = try await Self.begin(broker, from: "198.51.100.7")
            for _ in 1...40 { _ = try await Self.begin(broker, from: "198.51.100.7") }
            let last = try await Self.begin(broker, from: "198.51.100.7")

            #expect(try await Self.rows(broker) == 11)
            #expect(try await Self.finish(first, broker).code == "INVALID_IDP_RESPONSE")
            #expect(try await Self.finish(last, broker).status == 200)
            #expect(try await Self.finish(other, broker).status == 200)
        }
    }

    @Test func `the addresses of one IPv6 network count as one`() async throws {
        try await Self.run(perAddress: 10) { broker in
            let other = try await Self.begin(broker, from: "2001:db8:0:2::1")
            for number in 1...40 { _ = try await Self.begin(broker, from: "2001:db8:0:1:\(number)::1") }

            #expect(try await Self.rows(broker) == 11)
            #expect(try await Self.finish(other, broker).status == 200)
        }
    }

    @Test func `beyond the total the busiest address makes room, not the one that asks`() async throws {
        try await Self.run(perAddress: 1_000, total: 100) { broker in
            let honest = try await Self.begin(broker, from: "192.0.2.1")
            for number in 0..<300 { _ = try await Self.begin(broker, from: "198.51.100.\(number % 3)") }
            let late = try await Self.begin(broker, from: "192.0.2.2")

            #expect(try await Self.rows(broker) <= 101)
            #expect(try await Self.finish(honest, broker).status == 200)
            #expect(try await Self.finish(late, broker).status == 200)
        }
    }

    /// The ways in which a caller without a proof has a row written.
    enum Way: CaseIterable {
        case createAuthUri, handlerPage, pushedRequest, deviceAuthorization

        var table: OpenTable { self == .deviceAuthorization ? .deviceAuthorizations : .signInAttempts }
    }

    @Test(arguments: Way.allCases)
    func `every way to have a row written has the limit`(_ way: Way) async throws {
        try await Self.run(perAddress: 10) { broker in
            let address: HTTPHeaders = ["X-Forwarded-For": "198.51.100.7"]
            let app = try await OAuthApp(
                at: broker, way == .deviceAuthorization ? .native : .public,
                redirectURIs: way == .deviceAuthorization ? [] : [OAuthApp.redirectURI])
            for _ in 1...25 {
                let status: Int
                switch way {
                case .createAuthUri: status = try await Self.begin(broker, from: "198.51.100.7").status
                case .handlerPage:
                    let query = FormEncoding.encode([
                        ("apiKey", broker.apiKey), ("appName", "[DEFAULT]"), ("authType", "signInViaPopup"),
                        ("redirectUrl", "http://localhost:3000/app"), ("v", "12.0.0"), ("eventId", "1"),
                        ("providerId", "github.com"),
                    ])
                    status = try await broker.send(.GET, "/__/auth/handler?\(query)", headers: address).status
                case .pushedRequest: status = try await Self.push(app, headers: address)
                case .deviceAuthorization:
                    status = try await app.post(
                        "/oauth/device_authorization", [("scope", "openid")], headers: address
                    ).status
                }
                try #require((200...201).contains(status))
            }

            #expect(try await Self.rows(broker, way.table) == 10)
        }
    }

    @Test func `an authenticated client may push for many users from one address`() async throws {
        try await Self.run(perAddress: 10, total: 1_000) { broker in
            let app = try await OAuthApp(at: broker)
            for _ in 1...30 {
                #expect(try await Self.push(app, headers: ["X-Forwarded-For": "198.51.100.7"]) == 201)
            }

            #expect(try await Self.rows(broker) == 30)
        }
    }

    @Test func `a device that its user has approved is the last to be removed`() async throws {
        try await TestBroker.run {
            $0.publicURL = TestBrowser.publicURL
            $0.limits.perAddress = 10
        } _: { broker in
            let device = try await TestDevice(at: broker)
            _ = try await device.approve(in: TestBrowser(broker), as: broker.account("ada"))
            for _ in 1...30 { _ = try await device.app.post("/oauth/device_authorization", [("scope", "openid")]) }

            #expect(try await Self.rows(broker, .deviceAuthorizations) == 10)
            #expect(try await device.poll().status == 200)
        }
    }

    @Test(
        arguments: [
            ([9, 4, 1], 3, [3, 0, 0]), ([9, 4, 1], 5, [5, 0, 0]), ([9, 4, 1], 8, [7, 1, 0]),
            ([9, 4, 1], 12, [9, 3, 0]), ([9, 4, 1], 13, [9, 3, 1]), ([9, 4, 1], 50, [9, 4, 1]),
            ([2, 2, 2], 4, [2, 1, 1]), ([], 4, []), ([3], 0, [0]),
        ] as [([Int], Int, [Int])])
    func `rows are taken one by one from the largest share`(shares: [Int], excess: Int, cuts: [Int]) {
        let found = OpenRowLimiter.cuts(of: shares, by: excess)

        #expect(found.reduce(0, +) == min(excess, shares.reduce(0, +)))
        #expect(zip(shares, found).allSatisfy { $0 >= $1 })
        let left = zip(shares, found).map { $0 - $1 }
        #expect(left.sorted() == zip(shares, cuts).map { $0 - $1 }.sorted())
    }

    private static func push(_ app: OAuthApp, headers: HTTPHeaders) async throws -> Int {
        try await app.post(
            "/oauth/par",
            [
                ("redirect_uri", OAuthApp.redirectURI), ("response_type", "code"), ("scope", "openid"),
                ("code_challenge", CodeChallenge(of: RandomText.secret()).text), ("code_challenge_method", "S256"),
            ], headers: headers
        ).status
    }
}
