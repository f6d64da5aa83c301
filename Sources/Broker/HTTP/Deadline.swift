/// Work of the broker's own that is given up when it takes too long: it has to end when it is cancelled. For a plugin's work
/// see `PluginCalls`.
enum Deadline {
    /// The work's value; the work is cancelled at the end of `limit`.
    ///
    /// - Throws: ``DeadlineExceeded``, or what the work throws.
    static func run<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw DeadlineExceeded()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw DeadlineExceeded() }
            return first
        }
    }
}

/// The work took longer than it may.
struct DeadlineExceeded: Error {}
