import BrokerStore
import Foundation
import NIOHTTP1
import OAuth
import ProviderKit
import Testing

@testable import Broker

@Suite("polls of a device code")
struct DevicePollTests {
    private static let nat = "203.0.113.7"

    /// A broker behind a trusted proxy, so that a test's devices have addresses of their own.
    private static func run(
        _ change: (inout RateLimits) -> Void = { _ in }, _ test: (TestBroker) async throws -> Void
    ) async throws {
        try await TestBroker.run(
            { configuration in
                configuration.publicURL = TestBrowser.publicURL
                configuration.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self)
                change(&configuration.rateLimits)
            }, test)
    }

    private static func poll(_ device: TestDevice, at broker: TestBroker, from address: String = nat) async throws
        -> Answer
    {
        let app = OAuthApp(broker: broker, client: device.app.client, secret: device.app.secret)
        return try await app.post(
            "/oauth/token", [("grant_type", TestDevice.grantType), ("device_code", device.deviceCode)],
            headers: ["X-Forwarded-For": address])
    }

    private static func row(_ device: TestDevice, at broker: TestBroker) async throws -> DeviceAuthorizationRow {
        let hash = RandomText.hash(of: device.deviceCode)
        return try #require(try await broker.core.store.read { try $0.deviceAuthorization(deviceCodeHash: hash) })
    }

    @Test func `that come too early write once an interval, at all brokers together`() async throws {
        try await Self.run { broker in
            let device = try await TestDevice(at: broker)
            try await broker.withSecondBroker { other in
                func writes() -> Int { broker.core.store.statistics.writes + other.core.store.statistics.writes }
                #expect(try await Self.poll(device, at: broker).oauthError == "authorization_pending")
                let before = writes()
                for number in 0..<20 {
                    broker.clock.advance(seconds: 0.1)
                    let answer = try await Self.poll(device, at: number % 2 == 0 ? broker : other)
                    #expect(answer.oauthError == "slow_down", "\(answer)")
                }
                let early = try await Self.row(device, at: broker)

                #expect(writes() - before == 1)
                #expect(early.pollInterval == 10)
                // The interval counts from the poll that was written.
                broker.clock.advance(seconds: 7)
                #expect(try await Self.poll(device, at: other).oauthError == "slow_down")
                broker.clock.advance(seconds: 1)
                #expect(try await Self.poll(device, at: other).oauthError == "authorization_pending")
            }
        }
    }

    @Test func `within an early poll's interval read their client and nothing else`() async throws {
        try await Self.run { broker in
            let device = try await TestDevice(at: broker)
            for _ in 0..<2 { _ = try await Self.poll(device, at: broker) }
            let before = broker.core.store.statistics
            for _ in 0..<10 { #expect(try await Self.poll(device, at: broker).oauthError == "slow_down") }
            let after = broker.core.store.statistics

            #expect(after.writes == before.writes && after.reads == before.reads + 10)
            let thief = try await OAuthApp(at: broker, .native, redirectURIs: [])
            #expect(try await device.poll(as: thief).oauthError == "invalid_grant", "memory is the client's alone")
        }
    }

    @Test func `at once, and too early, make the interval longer once`() async throws {
        try await Self.run { broker in
            let device = try await TestDevice(at: broker)
            _ = try await Self.poll(device, at: broker)
            try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 { group.addTask { try await Self.poll(device, at: broker) } }
                for try await answer in group { #expect(answer.oauthError == "slow_down", "\(answer)") }
            }

            #expect(try await Self.row(device, at: broker).pollInterval == 10)
        }
    }

    @Test func `that come too early again count against the address, and polls in time do not`() async throws {
        try await Self.run({ $0.unprovenRequests = 5 }) { broker in
            let (patient, hasty) = (try await TestDevice(at: broker), try await TestDevice(at: broker))
            for _ in 0..<8 {
                #expect(try await Self.poll(patient, at: broker).oauthError == "authorization_pending")
                broker.clock.advance(seconds: 5)
            }
            var answers: [Answer] = []
            for _ in 0..<8 { answers.append(try await Self.poll(hasty, at: broker)) }
            let elsewhere = try await Self.poll(patient, at: broker, from: "203.0.113.8")

            #expect(
                answers.map(\.oauthError)
                    == ["authorization_pending"] + Array(repeating: "slow_down", count: 6)
                    + ["temporarily_unavailable"], "in time, first early one, five that count")
            #expect(answers.last?.status == 429)
            #expect(elsewhere.oauthError == "authorization_pending")
        }
    }

    @Test func `of codes that will never be ready write nothing and count against the address`() async throws {
        try await Self.run({ $0.unprovenRequests = 5 }) { broker in
            let denied = try await TestDevice(at: broker)
            try await broker.core.openID.devices.deny(try #require(UserCode(typed: denied.userCode)))
            let before = broker.core.store.statistics.writes
            var answers: [Answer] = []
            for _ in 0..<6 { answers.append(try await Self.poll(denied, at: broker)) }
            broker.clock.advance(seconds: 601)
            for _ in 0..<6 { answers.append(try await Self.poll(denied, at: broker, from: "203.0.113.8")) }

            let expected = Array(repeating: "access_denied", count: 5) + ["temporarily_unavailable"]
            #expect(answers.map(\.oauthError) == expected + expected, "\(answers)")
            #expect(broker.core.store.statistics.writes == before)
        }
    }

    @Test func `are remembered in a bounded memory, and no longer than a minute`() {
        let polls = EarlyPolls()
        let now = Timestamp(seconds: 1_800_000_000)
        func hash(_ number: Int) -> [UInt8] { RandomText.hash(of: "\(number)") }
        for number in 0..<(EarlyPolls.capacity * 2) {
            polls.insert(hash(number), by: "c", until: now.advanced(by: .seconds(9)))
        }
        let kept = (0..<(EarlyPolls.capacity * 2)).filter { polls.end(of: hash($0), by: "c", at: now) != nil }
        let last = hash(EarlyPolls.capacity * 2 - 1)

        #expect(kept.count <= EarlyPolls.capacity && kept.count >= EarlyPolls.capacity / 2)
        #expect(kept.last == EarlyPolls.capacity * 2 - 1)
        #expect(polls.end(of: last, by: "c", at: now.advanced(by: .seconds(9))) == nil)
        #expect(polls.end(of: last, by: "c", at: now.advanced(by: .seconds(-3600))) == nil)
        #expect(polls.end(of: last, by: "d", at: now) == nil)
    }
}
