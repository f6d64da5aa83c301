import Synchronization

/// One thing that is measured, again in every round.
struct BenchmarkCase: Sendable {
    /// Where it stands in the table.
    enum Group: String, Sendable, CaseIterable {
        case rawCryptography = "raw cryptography"
        case tokens = "our tokens"
        case json = "JSON"
        case rawStore = "raw SQLite"
        case store = "our store"
        case signIn = "sign-in"
    }

    let name: CaseName
    let group: Group
    /// Works for about the given time and says what it took.
    let run: @Sendable (Duration) async throws -> Measurement

    init(
        _ name: CaseName, in group: Group, run: @escaping @Sendable (Duration) async throws -> Measurement
    ) {
        self.name = name
        self.group = group
        self.run = run
    }
}

extension BenchmarkCase {
    /// Looks at the clock once for so many operations, which then costs nothing beside them.
    private static let operationsBetweenLooks = 32

    /// One caller on one thread.
    ///
    /// An `operation` returns a number that depends on its result, so that no compiler can leave it out.
    static func loop(
        _ name: CaseName, in group: Group, _ operation: @escaping @Sendable () throws -> Int
    ) -> BenchmarkCase {
        BenchmarkCase(name, in: group) { duration in
            var (operations, sum) = (0, 0)
            let watch = Stopwatch()
            while watch.isBefore(duration) {
                for _ in 0..<operationsBetweenLooks { sum &+= try operation() }
                operations += operationsBetweenLooks
            }
            let measurement = try watch.stop(after: operations)
            results.add(sum, ordering: .relaxed)
            return measurement
        }
    }

    /// A closed loop: each of `count` callers asks again as soon as it was answered.
    static func callers(
        _ count: Int, _ name: CaseName, in group: Group, _ operation: @escaping @Sendable () async throws -> Void
    ) -> BenchmarkCase {
        BenchmarkCase(name, in: group) { duration in
            let watch = Stopwatch()
            let operations = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for _ in 0..<count {
                    tasks.addTask {
                        var operations = 0
                        while watch.isBefore(duration) {
                            try await operation()
                            operations += 1
                        }
                        return operations
                    }
                }
                return try await tasks.reduce(0, +)
            }
            return try watch.stop(after: operations)
        }
    }
}

/// Where the results of measured operations go.
private let results = Atomic<Int>(0)
