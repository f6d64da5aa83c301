import BenchmarkLoad
import Foundation
import RawGroupCommit

/// The yardstick of the regime of durability: what the disk gives a loop that does nothing but commit.
struct GroupCommitCases {
    private let loop: RawGroupCommit

    /// Makes its file in `folder`, on the disk the broker's store is on.
    init(in folder: String, sessions: Int) throws {
        loop = try RawGroupCommit(path: folder + "/raw.sqlite", rows: sessions)
    }

    func all() -> [BenchmarkCase] {
        BareCases.connections.map { count in
            BenchmarkCase(CaseName(.durability, .groupCommit, .closed(count))) { duration in
                let processor = try ProcessorClock.ownProcess.now()
                let outcome = try loop.run(updatesPerCommit: count, for: duration)
                var result = LoadResult()
                result.answers = outcome.updates
                return Figure(
                    LoadMeasurement(
                        result: result, wall: outcome.wall,
                        processor: try ProcessorClock.ownProcess.now() - processor),
                    commits: outcome.commits)
            }
        }
    }
}
