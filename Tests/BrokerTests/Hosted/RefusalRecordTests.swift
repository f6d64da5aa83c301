import BrokerStore
import Testing

@testable import Broker

@Suite("records of refusals before a decision")
struct RefusalRecordTests {
    @Test(arguments: [("203.0.113.7", 70, 60), ("2001:db8::7", 1, 1)])
    func `one client network leaves a bounded number of records`(
        address: String, refusals: Int, records: Int
    ) async throws {
        let network = ClientNetwork(try #require(IPAddressBytes(address)))
        try await TestBroker.run { broker in
            let limiter = BrokerServer(broker.core).limiter
            await RequestAdmission.$current.withValue(RequestAdmission(network, limiter)) {
                for number in 0..<refusals {
                    let origin = Origin(.client, requestID: "request-\(number)")
                    await broker.core.accounts.recordRefusal(.cancelledAtProvider, at: "github.com", origin: origin)
                }
            }

            let recorded = try await broker.core.store.read { transaction in
                try (0..<refusals).filter { number in
                    try !transaction.decisions(requestID: "request-\(number)", limit: 1).isEmpty
                }
            }

            #expect(recorded == Array(0..<records))
        }
    }
}
