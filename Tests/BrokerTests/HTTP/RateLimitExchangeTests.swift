import BrokerStore
import Testing

@testable import Broker

@Suite("rate limits of the brokers of one store")
struct RateLimitExchangeTests {
    private static let nat = "203.0.113.7"

    /// Those of two brokers.
    private static func limiters(of broker: TestBroker) -> [RateLimiter] {
        (0..<2).map { _ in
            RateLimiter(
                broker.core.configuration,
                code: { broker.core.masterKey.signingSecret(for: .requesters).code(of: $0) },
                now: { broker.clock.now })
        }
    }

    @Test func `two brokers of a store share what they count, without an address in the store`() async throws {
        try await TestBroker.run({ $0.rateLimits.unprovenRequests = 20 }) { broker in
            let limiters = Self.limiters(of: broker)
            let exchanges = limiters.map {
                RateLimitExchange($0, store: broker.core.store, now: { broker.clock.now })
            }
            let network = ClientNetwork(try #require(IPAddressBytes(Self.nat)))
            let stranger = ClientNetwork(try #require(IPAddressBytes("203.0.113.8")))
            let keys = limiters.map { $0.key(.address(network)) }
            for _ in 0..<20 { #expect(limiters[0].take(.unprovenRequests, keys[0]) == nil) }
            let before = limiters[1].isFull(.unprovenRequests, keys[1])
            for exchange in exchanges { try await exchange.turn() }

            #expect(before == nil)
            #expect(limiters[1].isFull(.unprovenRequests, keys[1]) != nil)
            #expect(limiters[1].isFull(.unprovenRequests, limiters[1].key(.address(stranger))) == nil)
            // Another turn does not count anything twice.
            for exchange in exchanges { try await exchange.turn() }
            broker.clock.advance(seconds: 120)
            #expect(limiters[0].isFull(.unprovenRequests, keys[0]) == nil)
            #expect(limiters[1].take(.unprovenRequests, keys[1]) == nil)
            let rows = try await broker.core.store.read {
                try $0.rateCounts(ofOthersThan: "", at: Timestamp(milliseconds: 0), limit: 10)
            }
            #expect(rows.map(\.count) == [20])
            #expect(rows.first?.keyHash == keys[0].bytes && rows.first?.name == "unprovenRequests")
        }
    }

    @Test func `a count that could not be written reaches the other brokers in the next turn`() async throws {
        try await TestBroker.run({ $0.rateLimits.unprovenRequests = 20 }) { broker in
            let limiters = Self.limiters(of: broker)
            let key = limiters[0].key(.address(ClientNetwork(try #require(IPAddressBytes(Self.nat)))))
            for _ in 0..<20 { #expect(limiters[0].take(.unprovenRequests, key) == nil) }
            try await broker.withSecondCore { other in
                await other.store.close()
                let exchange = RateLimitExchange(limiters[0], store: other.store, now: { broker.clock.now })
                await #expect(throws: StoreError.self) { try await exchange.turn() }
            }

            for limiter in limiters {
                try await RateLimitExchange(limiter, store: broker.core.store, now: { broker.clock.now }).turn()
            }

            #expect(limiters[1].isFull(.unprovenRequests, key) != nil)
        }
    }
}
