import BrokerStore
import Foundation
import NIOHTTP1
import PostgreSQLTesting
import ProviderKit
import Testing

@testable import Broker

@Suite("the client of a request", .oneEngine("the addresses of requests"))
struct ClientAddressTests {
    private static let nat = "203.0.113.7"

    /// A broker behind trusted proxies, one of them on this machine.
    private static func run(
        _ change: (inout RateLimits) -> Void = { $0.unprovenRequests = 3 },
        _ test: (TestBroker) async throws -> Void
    ) async throws {
        try await TestBroker.run(
            { configuration in
                configuration.trustedProxies = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].compactMap { AddressRange($0) }
                change(&configuration.rateLimits)
            }, test)
    }

    private static func signUp(_ broker: TestBroker, _ headers: HTTPHeaders) async throws -> Int {
        try await broker.post("/v1/accounts:signUp", ["returnSecureToken": true], headers: headers).status
    }

    private static func signUps(_ broker: TestBroker, from hops: [String]) async throws -> [Int] {
        var statuses: [Int] = []
        for hop in hops { statuses.append(try await signUp(broker, ["X-Forwarded-For": hop])) }
        return statuses
    }

    @Test(arguments: [
        (["203.0.113.7:1001", "\"203.0.113.7:1002\"", "[203.0.113.7]:1003", "203.0.113.7"], "203.0.113.8:1001"),
        (["[2001:db8::1]:1", "\"[2001:db8::2]:_p\"", "2001:db8::3", "[2001:db8::4]"], "[2001:db8:0:1::1]:1"),
        (["_hidden", "\"_hidden\"", "_hidden:1003", "_hidden:_p"], "_other"),
        (["client.example:1", "client.example:2", "client.example:3", "client.example"], "client.example.org"),
    ])
    func `has one limit in every spelling of its hop, and no other client has the same`(
        hops: [String], other: String
    ) async throws {
        try await Self.run { broker in
            let same = try await Self.signUps(broker, from: hops)
            let others = try await Self.signUps(broker, from: [other, Self.nat + "9"])

            #expect(same == [200, 200, 200, 400])
            #expect(others == [200, 200])
        }
    }

    @Test(arguments: [
        "10.1.2.3", "10.1.2.3:8080", "\"10.1.2.3:8080\"", "[::ffff:10.1.2.3]:80", "::ffff:10.1.2.3", "[fd00::1]:443",
        "\"[fd00::1%eth0]\"", "127.0.0.1:1, 10.1.2.3:2,, ",
    ])
    func `is the hop before trusted proxies, in every spelling of theirs`(proxy: String) async throws {
        try await Self.run { broker in
            let hops = (1...4).map { "10.0.0.\($0), \(Self.nat):\(1000 + $0), \(proxy)" }
            let same = try await Self.signUps(broker, from: hops)
            let others = try await Self.signUps(broker, from: ["\(Self.nat), 203.0.113.8, \(proxy)"])

            #expect(same == [200, 200, 200, 400])
            #expect(others == [200])
        }
    }

    @Test func `is the first hop where all are trusted`() async throws {
        try await Self.run { broker in
            let hops = (1...4).map { "10.0.0.5:\($0), 10.0.0.6" }
            let same = try await Self.signUps(broker, from: hops)
            let others = try await Self.signUps(broker, from: ["10.0.0.7, 10.0.0.6", "10.0.0.6"])

            #expect(same == [200, 200, 200, 400])
            #expect(others == [200, 200])
        }
    }

    @Test func `is read from all lines of X-Forwarded-For, and from no other header`() async throws {
        try await Self.run { broker in
            var statuses: [Int] = []
            for number in 1...4 {
                statuses.append(
                    try await Self.signUp(
                        broker,
                        [
                            "X-Forwarded-For": "198.51.100.\(number)", "x-forwarded-for": Self.nat,
                            "Forwarded": "for=198.51.100.\(number)", "X-Real-IP": "198.51.100.\(number)",
                        ]))
            }

            #expect(statuses == [200, 200, 200, 400])
        }
    }

    @Test func `has no limit by address when its proxy does not know it`() async throws {
        try await Self.run { broker in
            let hops = Array(repeating: ["unknown", "Unknown:80", "\(Self.nat), unknown"], count: 4).flatMap(\.self)
            let statuses = try await Self.signUps(broker, from: hops)

            #expect(Set(statuses) == [200])
        }
    }

    @Test func `is reported by doctor for two hours when its proxy does not know it`() async throws {
        try await Self.run { broker in
            func codes() async -> [String] {
                await broker.core.admin.examineBroker().map(\.diagnosis.rawValue)
            }
            let limiter = RateLimiter(
                broker.core.configuration,
                code: { broker.core.masterKey.signingSecret(for: .requesters).code(of: $0) }, now: { broker.clock.now })
            let exchange = RateLimitExchange(limiter, store: broker.core.store, now: { broker.clock.now })
            try await exchange.turn()
            let before = await codes()
            for _ in 0..<3 { limiter.noteUnknownClient() }
            try await exchange.turn()
            let after = await codes()
            broker.clock.advance(seconds: 7201)

            #expect(!before.contains("client-address-unknown") && after.contains("client-address-unknown"))
            #expect(await !codes().contains("client-address-unknown"))
        }
    }

    @Test(arguments: [
        ("https://id.example", false, false, true), ("https://id.example", true, false, false),
        ("https://id.example", false, true, false), ("http://127.0.0.1:9099", false, false, false),
    ])
    func `is hidden by a proxy that no setting names, which doctor reports`(
        url: String, hasProxy: Bool, hasCertificate: Bool, isReported: Bool
    ) async throws {
        try await TestBroker.run { broker in
            let core = broker.core
            var configuration = core.configuration
            configuration.publicURL = url
            if hasProxy { configuration.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self) }
            if hasCertificate { configuration.tls = TLSFiles(certificate: "c.pem", key: "k.pem") }
            let findings = await core.admin.examineBroker(as: configuration)

            let found = findings.first { $0.diagnosis == .clientAddressHidden }
            #expect((found != nil) == isReported)
            #expect(found?.diagnosis.isWarning != true)
        }
    }

    // One /48.

    @Test func `shares an aggregate limit with its whole IPv6 site, which no proven request meets`() async throws {
        try await Self.run({ ($0.unprovenRequests, $0.unprovenRequestsPerSite) = (2, 40) }) { broker in
            let session = try await broker.post(
                "/v1/accounts:signUp", ["returnSecureToken": true], headers: ["X-Forwarded-For": Self.nat])
            let statuses = try await Self.signUps(broker, from: (0..<44).map { "2001:db8:7:\($0)::1" })
            let neighbours = try await Self.signUps(broker, from: ["2001:db8:8::1", "203.0.113.9"])
            let proven = try await broker.post(
                "/v1/accounts:lookup", ["idToken": .string(session.string("idToken"))],
                headers: ["X-Forwarded-For": "2001:db8:7:99::1"])

            #expect(statuses == Array(repeating: 200, count: 40) + Array(repeating: 400, count: 4))
            #expect(neighbours == [200, 200] && proven.status == 200)
        }
    }

    @Test func `does not fill the limit of its IPv6 site with what is refused`() async throws {
        try await Self.run({ ($0.unprovenRequests, $0.unprovenRequestsPerSite) = (2, 40) }) { broker in
            let flood = try await Self.signUps(broker, from: (0..<60).map { "2001:db8:7::\($0)" })
            let others = try await Self.signUps(broker, from: (1...38).map { "2001:db8:7:\($0)::1" })

            #expect(flood.filter { $0 == 200 }.count == 2)
            #expect(Set(others) == [200])
        }
    }

    @Test func `has no aggregate limit when it is turned off`() async throws {
        try await Self.run({ ($0.unprovenRequests, $0.unprovenRequestsPerSite) = (2, nil) }) { broker in
            let statuses = try await Self.signUps(broker, from: (0..<50).map { "2001:db8:7:\($0)::1" })

            #expect(Set(statuses) == [200])
        }
    }

    @Test(arguments: [
        ("{}", 12_000), (#"{"unprovenRequestsPerAddress": 100}"#, 2000), (#"{"unprovenRequestsPerAddress": 0}"#, nil),
        (#"{"unprovenRequestsPerSite": 0}"#, nil), (#"{"unprovenRequestsPerSite": 12000}"#, 12_000),
        (#"{"unprovenRequestsPerAddress": 0, "unprovenRequestsPerSite": 5}"#, 5),
    ])
    func `has twenty times its limit for a site unless the configuration says more`(text: String, limit: Int?) throws {
        #expect(try Self.limits(text).unprovenRequestsPerSite == limit)
    }

    @Test(arguments: [
        #"{"unprovenRequestsPerSite": 11999}"#, #"{"unprovenRequestsPerSite": -1}"#,
        #"{"unprovenRequestsPerAddress": 601, "unprovenRequestsPerSite": 12000}"#,
        #"{"unprovenRequestsPerSite": 1000000001}"#,
    ])
    func `has no smaller limit for a site`(text: String) throws {
        #expect(throws: ConfigurationError.self) { try Self.limits(text) }
    }

    private static func limits(_ text: String) throws -> RateLimits {
        var limits = RateLimits()
        let place = ValuePlace(source: "broker.json", pointer: "", resolve: { $0 }, secrets: .textOnly)
        try RateLimits.keys.readFile(try JSONValue(parsing: text), into: &limits, at: place)
        return limits
    }
}
