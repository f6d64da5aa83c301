import BrokerStore
import Testing

@testable import Broker

@Suite("The purposes of the master key")
struct SealedPurposeTests {
    @Test func `every purpose seals columns, or has keys of its own, or belongs to the master key itself`() throws {
        let sealed = try Set(
            SealedColumn.all.map { try #require(MasterKey.Purpose(rawValue: $0.purpose), "\($0.purpose)") })
        let own = Set(MasterKey.Purpose.wrapped)

        #expect(sealed.isDisjoint(with: own))
        #expect(sealed.union(own).union([.check, .identifier]) == Set(MasterKey.Purpose.allCases))
    }
}
