package import Foundation

/// Another process has taken the lease.
package struct LeaseLost: Error {}

/// The outcome of work under a lease.
package enum LeaseOutcome<Value> {
    case done(Value)
    /// The work was not begun: another process has the lease, or there is nothing to do.
    case notBegun
    /// Another process took the lease over. What was written until then stays.
    case lost
}

extension Store {
    /// Runs work that one process at a time does. The lease stays with the process after it.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - acquire: Acquires the lease, in a transaction of its own; nil when it does not.
    ///   - work: Starts with the value that `acquire` returned. Ends with ``LeaseLost`` when another process has it.
    /// - Returns: The outcome.
    /// - Throws: A store's error, or one of the work.
    package func withLease<Start: Sendable, Value>(
        at now: Timestamp, acquiring acquire: @escaping @Sendable (borrowing Transaction) throws -> Start?,
        _ work: (Start) async throws -> Value
    ) async throws -> LeaseOutcome<Value> {
        guard let start = try await write(at: now, acquire) else { return .notBegun }
        do {
            return .done(try await work(start))
        } catch is LeaseLost {
            return .lost
        }
    }
}

/// Work that one process at a time does for all of them, under a lease with a name. The lease stays with the process until
/// it is given back or runs out; ``write(_:)`` renews it.
package struct LeasedWork: Sendable {
    package let lease: Lease
    private let store: Store
    private let now: @Sendable () -> Date

    package init(_ lease: Lease, in store: Store, now: @escaping @Sendable () -> Date) {
        self.lease = lease
        self.store = store
        self.now = now
    }

    /// Acquires the lease, and runs the work.
    ///
    /// - Parameters:
    ///   - acquire: Acquires the lease, in a transaction of its own; nil when it does not.
    ///   - work: Starts with the value that `acquire` returned.
    /// - Returns: The outcome.
    /// - Throws: A store's error, or one of the work. The lease then runs out.
    package func withLease<Start: Sendable, Value>(
        acquiring acquire: @escaping @Sendable (borrowing Transaction, Lease) throws -> Start?,
        _ work: (Start) async throws -> Value
    ) async throws -> LeaseOutcome<Value> {
        try await store.withLease(at: Timestamp(now()), acquiring: { [lease] in try acquire($0, lease) }, work)
    }

    /// The same for work that starts with nothing.
    package func withLease<Value>(_ work: () async throws -> Value) async throws -> LeaseOutcome<Value> {
        try await withLease(acquiring: { try $0.acquire($1, at: $0.now) ? true : nil }) { _ in try await work() }
    }

    /// Runs a part of the work in a transaction that renews the lease.
    ///
    /// - Throws: ``LeaseLost`` with nothing written, or what `body` throws.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
    ) async throws -> Value {
        try await store.write(at: Timestamp(now())) { [lease] transaction in
            guard try transaction.renew(lease, at: transaction.now) else { throw LeaseLost() }
            return try body(transaction)
        }
    }

    /// Gives the lease back, so that another process need not wait until it runs out.
    package func release() async throws {
        try await store.write(at: Timestamp(now())) { [lease] transaction in
            _ = try transaction.release(lease, at: transaction.now)
        }
    }
}
