import CoreMetrics
import Synchronization

/// The counters of the transactions of one store.
struct StoreMetrics: Sendable {
    enum Kind: Int, CaseIterable, Sendable {
        case read, write, statements

        /// Written out, since a description by reflection searches all conformances of the program.
        fileprivate var name: String {
            switch self {
            case .read: "read"
            case .write: "write"
            case .statements: "statements"
            }
        }
    }

    private struct Handles: Sendable {
        let committed: Counter
        /// The transaction's own error.
        let refused: Counter
        let failures: [StoreError.Kind: Counter]
        let duration: Timer
        let retries: Counter
    }

    private let handles: [Handles]

    init(engine: String) {
        handles = Kind.allCases.map { kind in
            let labels = [("engine", engine), ("kind", kind.name)]
            func counter(_ outcome: String) -> Counter {
                Counter(
                    label: "broker_store_transactions_total",
                    dimensions: [("engine", engine), ("kind", kind.name), ("outcome", outcome)])
            }
            return Handles(
                committed: counter("committed"), refused: counter("refused"),
                failures: Dictionary(
                    uniqueKeysWithValues: StoreError.Kind.allCases.map { ($0, counter($0.rawValue)) }),
                duration: Timer(label: "broker_store_transaction_duration_seconds", dimensions: labels),
                retries: Counter(label: "broker_store_retries_total", dimensions: labels))
        }
    }

    /// Counts the runs of a transaction's closure.
    final class Runs: Sendable {
        private let count = Atomic<Int>(0)

        func begin() { count.add(1, ordering: .relaxed) }
        var repetitions: Int { max(count.load(ordering: .relaxed) - 1, 0) }
    }

    /// Runs a transaction and counts it.
    func counting(_ kind: Kind, _ runs: Runs? = nil, _ work: () async throws -> Void) async throws {
        let handles = handles[kind.rawValue]
        let start = ContinuousClock.now
        defer {
            let passed = (ContinuousClock.now - start).components
            handles.duration.recordNanoseconds(passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000)
            if let repetitions = runs?.repetitions, repetitions > 0 { handles.retries.increment(by: repetitions) }
        }
        do {
            try await work()
            handles.committed.increment()
        } catch {
            switch error {
            case let error as StoreError: handles.failures[error.kind]?.increment()
            default: handles.refused.increment()
            }
            throw error
        }
    }
}
