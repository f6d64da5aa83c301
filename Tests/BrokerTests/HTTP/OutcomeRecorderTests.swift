import BrokerStore
import ProviderKit
import Testing

@testable import Broker

@Suite("what requests came to")
struct OutcomeRecorderTests {
    private static func network(_ address: String) throws -> ClientNetwork {
        ClientNetwork(try #require(IPAddressBytes(address)))
    }

    private static func recorder(of broker: TestBroker, _ store: Store? = nil) -> OutcomeRecorder {
        OutcomeRecorder(
            store ?? broker.core.store, limiter: BrokerServer(broker.core).limiter, now: { broker.clock.now })
    }

    private static func refusal(_ code: String, _ clientID: String? = nil) -> RequestOutcome {
        RequestOutcome(code: code, provider: "github.com", clientID: clientID)
    }

    private static func recorded(_ ids: [String], in store: Store) async throws -> [String] {
        try await store.read { transaction in
            try ids.filter { try transaction.recordedRefusal(requestID: $0) != nil }
        }
    }

    @Test func `one client at one address has ten causes a minute recorded, and all of them are counted`() async throws
    {
        try await TestBroker.run { broker in
            let recorder = Self.recorder(of: broker)
            let address = try Self.network("203.0.113.7")
            for number in 0..<15 {
                recorder.take(
                    Self.refusal("USER_CANCELLED", "web"), requestID: "web-\(number)", route: "/r", status: 400,
                    from: address)
            }
            for (client, address) in [("other", address), ("web", try Self.network("203.0.113.8"))] {
                recorder.take(
                    Self.refusal("USER_CANCELLED", client), requestID: "\(client)-more", route: "/r", status: 400,
                    from: address)
            }
            try await recorder.turn()

            let ids = (0..<15).map { "web-\($0)" } + ["other-more", "web-more"]
            let found = try await Self.recorded(ids, in: broker.core.store)
            let sums = try await broker.core.store.read { try $0.outcomeSums(since: Timestamp(milliseconds: 0)) }
            #expect(found == (0..<10).map { "web-\($0)" } + ["other-more", "web-more"])
            #expect(sums.map(\.count).sorted() == [1, 16])
            #expect(sums.allSatisfy { $0.code == "USER_CANCELLED" && $0.provider == "github.com" })
        }
    }

    @Test func `what an outage kept from the store is written by the next turn, and nothing twice`() async throws {
        try await TestBroker.run { broker in
            let lost = try await broker.withSecondCore { other in
                let recorder = Self.recorder(of: broker, other.store)
                recorder.take(
                    Self.refusal("USER_DISABLED"), requestID: "lost", route: "/r", status: 400, from: nil)
                recorder.take(
                    RequestOutcome(provider: "github.com", hasSignedIn: true), requestID: "", route: "/r", status: 200,
                    from: nil)
                await other.store.close()
                await #expect(throws: StoreError.self) { try await recorder.turn() }
                return recorder
            }
            _ = lost
            let recorder = Self.recorder(of: broker)
            recorder.take(
                RequestOutcome(provider: "github.com", hasSignedIn: true), requestID: "", route: "/r", status: 200,
                from: nil)
            for _ in 0..<3 { try await recorder.turn() }

            let sums = try await broker.core.store.read { try $0.outcomeSums(since: Timestamp(milliseconds: 0)) }
            #expect(sums.map(\.count) == [1] && sums.first?.code == "")
        }
    }
}
