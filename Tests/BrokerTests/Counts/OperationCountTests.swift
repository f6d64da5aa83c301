import Broker
import BrokerStore
import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

/// Statements, transactions, round trips and bytes of each operation, compared with `Benchmarks/Counts.json`, which
/// `TESTS_RECORD=1` writes anew.
@Suite("what operations cost the store", .timeLimit(.minutes(20)))
struct OperationCountTests {
    @Test func `is no more than what is recorded`() async throws {
        let engine = TestEngine.current
        var measured = try await CountedBroker.run { try await $0.measureAll() }
        measured.merge(try await CountedBroker.run(policy: .firebase) { try await $0.measureRS256() }) { $1 }
        if RecordedPage.isRecording {
            var recorded = (try? RecordedCounts.read()) ?? RecordedCounts()
            recorded[engine] = measured
            try recorded.write()
        }

        let recorded = try RecordedCounts.read()[engine]
        #expect(Set(measured.keys) == Set(recorded.keys))
        for (name, counts) in measured.sorted(by: { $0.key < $1.key }) {
            let growth = counts.growth(over: recorded[name])
            #expect(growth.isEmpty, "\(name) on \(engine): \(growth.joined(separator: "; "))")
        }
    }

    @Test func `has grown when any count has`() {
        let recorded = OperationCounts(
            statements: 4, readTransactions: 1, writeTransactions: 1, walFrames: 5, bytesKept: 600, roundTrips: nil)
        var fewer = recorded
        fewer.statements = 3
        var more = recorded
        more.bytesKept = 601
        var other = recorded
        other.roundTrips = 0

        #expect(recorded.growth(over: recorded) == [] && fewer.growth(over: recorded) == [])
        #expect(more.growth(over: recorded) == ["601 bytes kept, recorded 600"])
        #expect(other.growth(over: recorded) == ["0 round trips, recorded none"])
        #expect(recorded.growth(over: nil).count == 5)
    }
}
