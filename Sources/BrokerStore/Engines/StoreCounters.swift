import Synchronization

/// The numbers behind ``StoreStatistics``, written by the engine's threads.
final class StoreCounters: Sendable {
    private let commits = Atomic<Int>(0)
    private let writes = Atomic<Int>(0)
    private let reads = Atomic<Int>(0)
    private let checkpoints = Atomic<Int>(0)

    func countCommit(ofWrites count: Int) {
        commits.add(1, ordering: .relaxed)
        writes.add(count, ordering: .relaxed)
    }

    func countRead() {
        reads.add(1, ordering: .relaxed)
    }

    func countCheckpoint() {
        checkpoints.add(1, ordering: .relaxed)
    }

    var statistics: StoreStatistics {
        StoreStatistics(
            commits: commits.load(ordering: .relaxed), writes: writes.load(ordering: .relaxed),
            reads: reads.load(ordering: .relaxed), checkpoints: checkpoints.load(ordering: .relaxed))
    }
}
