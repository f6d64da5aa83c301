import Foundation
package import Logging
public import Synchronization

/// The broker's database.
///
/// All work happens in transactions: a synchronous closure that is lent a ``Transaction``. It may run more than once,
/// so ids, time and randomness are captured before it. A cancelled task still learns the outcome of its write.
@usableFromInline
package struct Store: Sendable {
    /// The purpose for which a store is opened.
    package enum Access: Sendable, Hashable {
        /// Serving requests: a store that was moved, or that is partly filled, is refused.
        case service
        /// Moving, filling and examining stores.
        case transfer
        /// A look at a store of this broker's schema. Its schema is not changed.
        case lookup
    }

    private let engine: any Engine
    /// Another process may move a SQLite file away at any time, so each transaction looks first.
    private let isGuarded: Bool
    /// The one generator of this store: two in one process could draw the same keys.
    package let keys: KeyGenerator
    let subscribers: EventSubscribers
    private let metrics: StoreMetrics

    init(
        on engine: any Engine, isGuarded: Bool = false, keys: KeyGenerator = KeyGenerator(),
        subscribers: EventSubscribers = EventSubscribers()
    ) {
        self.engine = engine
        self.isGuarded = isGuarded
        self.keys = keys
        self.subscribers = subscribers
        metrics = StoreMetrics(engine: engine is PostgreSQLEngine ? "postgresql" : "sqlite")
    }

    /// Opens the SQLite file at `path`, makes it (mode 0600) if there is none, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - path: the file; its folder must exist.
    ///   - options: how the file is used.
    ///   - access: what it is opened for.
    ///   - now: the moment recorded with migrations that are applied.
    ///   - logger: for what happens in the background.
    /// - Returns: the store, ready for use; it stays open until ``close()``.
    /// - Throws: `.foreignFile`, `.newerSchema`, `.corrupt`, `.busy`, `.moved`, `.unfinished` or `.unavailable`, with a
    ///   sentence for the operator.
    package static func open(
        sqlite path: String, options: SQLiteOptions = SQLiteOptions(), for access: Access = .service,
        now: Timestamp = Timestamp(Date()), logger: Logger = Logger(label: "broker.store")
    ) async throws(StoreError) -> Store {
        var options = options
        // Moving a store is not urgent, and other processes write at the same time.
        if access == .transfer { options.busyTimeout = max(options.busyTimeout, .seconds(60)) }
        let engine = try await SQLiteEngine.open(
            path, options: options, history: SchemaHistory(for: access), now: now, logger: logger)
        return try await Store(on: engine, isGuarded: access == .service).admitted(for: access)
    }

    /// The same, whatever the store is in the middle of, for a broker that knows another history of the schema.
    static func open(
        sqlite path: String, options: SQLiteOptions = SQLiteOptions(), history: SchemaHistory,
        now: Timestamp = Timestamp(Date()), logger: Logger = Logger(label: "broker.store")
    ) async throws(StoreError) -> Store {
        Store(on: try await SQLiteEngine.open(path, options: options, history: history, now: now, logger: logger))
    }

    /// Opens the PostgreSQL database that `connectionString` names and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - connectionString: a `postgresql://` URL or `keyword=value` pairs as libpq reads them, with several hosts if
    ///     there are; never logged.
    ///   - options: how the database is used.
    ///   - access: what it is opened for.
    ///   - now: the moment recorded with migrations that are applied.
    ///   - logger: for what happens in the background.
    /// - Returns: the store, ready for use; it stays open until ``close()``.
    /// - Throws: `.foreignFile`, `.newerSchema`, `.unfinished` or `.unavailable`, with a sentence for the operator.
    package static func open(
        postgreSQL connectionString: String, options: PostgreSQLOptions = PostgreSQLOptions(),
        for access: Access = .service, now: Timestamp = Timestamp(Date()),
        logger: Logger = Logger(label: "broker.store")
    ) async throws(StoreError) -> Store {
        let options = access == .transfer ? options.forLongWork : options
        let engine = try await PostgreSQLEngine.open(
            connectionString, options: options, history: SchemaHistory(for: access), now: now, logger: logger)
        return try await Store(on: engine).admitted(for: access)
    }

    /// The same, whatever the store is in the middle of, for a broker that knows another history of the schema.
    static func open(
        postgreSQL connectionString: String, options: PostgreSQLOptions = PostgreSQLOptions(),
        history: SchemaHistory, now: Timestamp = Timestamp(Date()), logger: Logger = Logger(label: "broker.store")
    ) async throws(StoreError) -> Store {
        Store(
            on: try await PostgreSQLEngine.open(
                connectionString, options: options, history: history, now: now, logger: logger))
    }

    /// Runs `body` in a read-write transaction and returns what it returned, once that is durable.
    ///
    /// - Parameters:
    ///   - now: The moment of everything in it: ``Transaction/now``.
    ///   - origin: Who started it, for ``Transaction/audit(_:of:provider:subjectHash:detail:by:)``; nil for the broker.
    ///   - body: What to do. May run more than once.
    /// - Returns: What the run of `body` that was committed returned.
    /// - Throws: an error of `body`, unchanged, after everything it wrote was undone; or a ``StoreError``.
    @inlinable
    package func write<T: Sendable>(
        at now: Timestamp, by origin: Origin? = nil, _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        try await value(of: body) { body in try await performWrite(at: now, by: origin, body) }
    }

    /// This store with another generator of keys.
    func drawing(from keys: KeyGenerator) -> Store {
        Store(on: engine, isGuarded: isGuarded, keys: keys, subscribers: subscribers)
    }

    /// The same for changes that depend on no moment.
    @inlinable
    package func write<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        try await value(of: body) { body in try await performWrite(at: nil, by: nil, body) }
    }

    @usableFromInline
    func performWrite(at now: Timestamp?, by origin: Origin?, _ body: @escaping TransactionBody) async throws {
        let context = TransactionContext(keys: keys, subscribers: subscribers, moment: now, origin: origin)
        let runs = StoreMetrics.Runs()
        try await metrics.counting(.write, runs) {
            try await engine.write(in: context) { [isGuarded] tx in
                runs.begin()
                if isGuarded { try tx.refuseIfMoved(for: .writing) }
                try body(tx)
                try tx.writeNotedWords()
            }
        }
    }

    /// Runs `body` on one unchanging view of the store. Writing in it is an error.
    ///
    /// - Throws: an error of `body`, unchanged; or a ``StoreError``.
    @inlinable
    package func read<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        try await value(of: body) { body in try await performRead(body) }
    }

    @usableFromInline
    func performRead(_ body: @escaping TransactionBody) async throws {
        let context = TransactionContext(keys: keys, subscribers: subscribers)
        try await metrics.counting(.read) { try await engine.read(in: context, guarded(body)) }
    }

    /// The same for a body that reads a few rows by their keys, for the hot paths: it runs on the calling thread if it can
    /// without waiting, and may be interrupted there to run again on a thread of the store.
    @inlinable
    package func pointRead<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        try await value(of: body) { body in try await performPointRead(body) }
    }

    @usableFromInline
    func performPointRead(_ body: @escaping TransactionBody) async throws {
        let context = TransactionContext(keys: keys, subscribers: subscribers)
        try await metrics.counting(.read) { try await engine.pointRead(in: context, guarded(body)) }
    }

    /// What `body` returned in its latest run by `run`. Only this is compiled for each type that transactions return.
    @inlinable
    func value<T: Sendable>(
        of body: @escaping @Sendable (borrowing Transaction) throws -> T,
        _ run: (@escaping TransactionBody) async throws -> Void
    ) async throws -> T {
        let latest = Mutex<T?>(nil)
        try await run { tx in
            let value = try body(tx)
            latest.withLock { $0 = value }
        }
        guard let value = latest.withLock({ $0.take() }) else { throw Self.nothingRan }
        return value
    }

    /// An engine that has run nothing throws a reason of its own. This is for one that does not.
    @usableFromInline
    static var nothingRan: any Error { StoreError(.misuse, "the store ran no transaction and gave no reason") }

    /// `body`, whose answer counts only if its view of the store was not one of a moved store: before its first read it
    /// has none.
    private func guarded(_ body: @escaping TransactionBody) -> TransactionBody {
        guard isGuarded else { return body }
        return { tx in
            do {
                try body(tx)
            } catch {
                try tx.refuseIfMoved(for: .reading)
                throw error
            }
            try tx.refuseIfMoved(for: .reading)
        }
    }

    /// This store, unless it must not serve.
    func admitted(for access: Access) async throws(StoreError) -> Store {
        guard access == .service else { return self }
        do {
            try await engine.read(in: TransactionContext(keys: keys)) { tx in try tx.refuseIfMoved(for: .starting) }
            return self
        } catch {
            await close()
            throw error as? StoreError ?? StoreError(.unavailable, "the store cannot be read")
        }
    }

    /// Runs independent statements in one transaction and one round trip, for the hot paths. PostgreSQL runs them at
    /// READ COMMITTED, so each must be correct by itself.
    ///
    /// - Parameters:
    ///   - calls: The statements.
    ///   - read: Reads their answers, in this order. May run more than once.
    /// - Returns: What `read` returned.
    /// - Throws: ``StoreError``.
    func execute<Value: Sendable>(
        _ calls: Call..., reading read: @escaping @Sendable (inout Answers) throws(StoreError) -> Value
    ) async throws -> Value {
        let context = TransactionContext(keys: keys, subscribers: subscribers)
        let latest = Mutex<Value?>(nil)
        let read = { @Sendable (answers: inout Answers) throws(StoreError) in
            let value = try read(&answers)
            latest.withLock { $0 = value }
        }
        try await metrics.counting(.statements) {
            guard isGuarded else { return try await engine.execute(calls, in: context, reading: read) }
            try await engine.write(in: context) { tx in
                try tx.refuseIfMoved(for: .writing)
                try tx.answering(calls, read)
            }
        }
        guard let value = latest.withLock({ $0.take() }) else { throw Self.nothingRan }
        return value
    }

    /// Checks that the store responds, is served and accepts writes: one read, and one row written durably.
    ///
    /// - Throws: ``StoreError``, such as `.diskFull` or `.moved`.
    package func ping() async throws {
        try await read { tx in try tx.refuseIfMoved(for: .starting) }
        try await execute(Call(LeaseRow.touch)) { answers throws(StoreError) in _ = try answers.next() }
    }

    /// Finishes what was asked for before, refuses what comes after, and returns when all files are closed.
    package func close() async {
        await engine.close()
    }

    /// The store's counters since it was opened.
    package var statistics: StoreStatistics { engine.statistics }
}
