import BrokerStore
package import Foundation
import OAuth

/// Removes expired rows from the store in small batches, in one broker at a time.
///
/// Every batch is a transaction of its own that renews the lease as well: a broker that has lost it removes nothing more.
package struct Housekeeping: Sendable {
    private let accounts: AccountContext
    private let records: RecordRetention
    private let events: EventRules
    /// Every batch renews the lease.
    let leased: LeasedWork
    private let uptime: @Sendable () -> Duration
    private var clock = HousekeepingClock()
    /// The sessions up to this key were examined.
    private var sessionsDone = Int64.min
    /// The used ID tokens up to this hash were examined.
    private var usedIDTokensDone: [UInt8] = []

    /// How often a running server takes a turn.
    package static let interval = Duration.seconds(300)
    /// A turn may be missed without another broker's taking over.
    private static let leaseDuration = Duration.seconds(900)
    /// Rows that one transaction removes at most, but for stretches, whose rows lie together: others wait to write meanwhile.
    static let batch = 200
    /// Rows without an index of their ages that one read examines.
    static let stretch = 1000
    /// How many stretches with nothing to remove a turn examines, or of used ID tokens at all. The next turn continues.
    static let idleStretches = 100
    /// The time within which all used ID tokens are examined, however many there are.
    static let usedIDTokenCycle = Duration.seconds(6 * 3600)

    /// How many rows a turn has removed.
    package struct Removed: Sendable, Hashable {
        package var pendingTokens = 0
        package var usedIDTokens = 0
        package var signInAttempts = 0
        package var authorizationCodes = 0
        package var deviceAuthorizations = 0
        /// Claims of devices that were never introduced.
        package var deviceClaims = 0
        /// Addresses of sessions, which stay.
        package var addresses = 0
        package var sessions = 0
        package var withdrawals = 0
        /// Deliveries of events that have ended, and counters of deleted users.
        package var events = 0
        /// Keys of refresh tokens, cookies and forms that were replaced so long ago that nothing of theirs is left.
        package var replacedKeys = 0
        package var auditEntries = 0
        package var decisions = 0
        /// Counts of sign-ins and refusals.
        package var outcomeCounts = 0
        package var notices = 0
        package var mergeSnapshots = 0
        package var providerEvents = 0
        /// Identities of accounts that were deleted at their provider.
        package var deletedAccounts = 0
    }

    /// One kind of row that is removed by its age.
    private struct Kind: Sendable {
        let counter: any WritableKeyPath<Removed, Int> & Sendable
        let remove: @Sendable (borrowing Transaction) throws -> Int

        init(
            _ counter: any WritableKeyPath<Removed, Int> & Sendable,
            _ remove: @escaping @Sendable (borrowing Transaction) throws -> Int
        ) {
            self.counter = counter
            self.remove = remove
        }
    }

    /// The result of a turn.
    package enum Outcome: Sendable, Hashable {
        case done(Removed)
        /// Another broker has the lease.
        case leftToAnother
        /// Another broker took over meanwhile; what was removed until then stays removed.
        case lost(Removed)
        /// This broker's clock contradicts what is in the store; nothing was removed.
        case clockInDoubt
    }

    /// - Parameters:
    ///   - accounts: The accounts, with the store and everything below them.
    ///   - records: How long audit and decisions are stored.
    ///   - events: How long dead letters are stored.
    ///   - clock: The broker's clock, where it is another than that of the store.
    ///   - uptime: Time since some moment, by a monotonic clock.
    package init(
        _ accounts: AccountContext, records: RecordRetention, events: EventRules = EventRules(),
        clock: (@Sendable () -> Date)? = nil, uptime: @escaping @Sendable () -> Duration = Self.uptime()
    ) {
        self.accounts = accounts
        self.records = records
        self.events = events
        let lease = Lease(name: Lease.housekeeping, holder: RandomText.alphanumeric(22), duration: Self.leaseDuration)
        leased = LeasedWork(lease, in: accounts.store, now: clock ?? accounts.clock)
        self.uptime = uptime
    }

    /// Time since this call.
    package static func uptime() -> @Sendable () -> Duration {
        let start = ContinuousClock.now
        return { start.duration(to: .now) }
    }

    /// Takes the lease if it is free, and removes expired rows.
    ///
    /// - Throws: A store's error. What was removed before it stays removed.
    package mutating func turn() async throws -> Outcome {
        var removed = Removed()
        let (before, uptime) = (clock, uptime())
        let outcome = try await leased.withLease { transaction, lease -> HousekeepingClock.Turn? in
            let row = try transaction.lease(named: lease.name)
            guard try transaction.acquire(lease, at: transaction.now) else { return nil }
            var clock = before
            let trust = clock.turn(after: row, by: lease.holder, now: transaction.now, uptime: uptime)
            if case .trusted(_, let horizon) = trust {
                _ = try transaction.renew(lease, position: horizon.milliseconds, at: transaction.now)
            }
            return HousekeepingClock.Turn(clock: clock, trust: trust)
        } _: { turn -> Outcome in
            clock = turn.clock
            guard case .trusted(let present, _) = turn.trust else { return .clockInDoubt }
            try await removeAll(kinds(at: present), counting: &removed)
            try await removeUsedIDTokens(
                expiredBy: present.advanced(by: .zero - RowRetention.tokens), counting: &removed)
            try await removeSessions(
                RowRetention.sessionAges(at: present, accounts.sessions.rules), counting: &removed)
            return .done(removed)
        }
        switch outcome {
        case .done(let outcome): return outcome
        case .notBegun: return .leftToAnother
        case .lost: return .lost(removed)
        }
    }

    /// Lets another broker take the next turn, when this one stops.
    package func release() async throws { try await leased.release() }

    /// The kinds of rows, each with the moment up to which it is removed.
    private func kinds(at present: Timestamp) -> [Kind] {
        func before(_ retention: Duration) -> Timestamp { present.advanced(by: .zero - retention) }
        let (expired, over, batch) = (before(RowRetention.tokens), before(RowRetention.attempts), Self.batch)
        let ended = before(RowRetention.withdrawals)
        let (outlived, uncounted) = (before(SessionRules.absoluteLifetime), before(RowRetention.outcomeCounts))
        var kinds = [
            Kind(\.pendingTokens) { try $0.removeExpired(from: .pendingTokens, by: expired, limit: batch) },
            Kind(\.signInAttempts) { try $0.removeExpired(from: .signInAttempts, by: over, limit: batch) },
            Kind(\.authorizationCodes) { try $0.removeExpired(from: .authorizationCodes, by: expired, limit: batch) },
            Kind(\.notices) { try $0.removeNotices(createdBy: outlived, limit: batch) },
            Kind(\.mergeSnapshots) { try $0.removeMergeSnapshots(expiredBy: present, limit: batch) },
            Kind(\.providerEvents) { try $0.removeReceivedEvents(expiredBy: present, limit: batch) },
            Kind(\.deletedAccounts) { [accounts] in
                try accounts.removeDeletedAccounts(dueBy: present, limit: batch, in: $0)
            },
            Kind(\.outcomeCounts) { try $0.removeOutcomeCounts(until: uncounted, limit: batch) },
            Kind(\.deviceClaims) { try $0.removeDeviceClaims(endedBy: over, limit: batch) },
            Kind(\.deviceAuthorizations) { try $0.removeExpired(from: .deviceAuthorizations, by: over, limit: batch) },
        ]
        kinds += Withdrawal.State.allCases.filter { !$0.isOpen }.map { state in
            Kind(\.withdrawals) { try $0.remove(Withdrawal.self, state, endedBy: ended, limit: batch) }
        }
        kinds += eventKinds(at: present)
        let replaced = before(HostedForms.lifetime)
        let lasting = MasterKey.Purpose.auditSeals.rawValue
        kinds.append(
            Kind(\.replacedKeys) { try $0.removeReplacedWrappedKeys(by: replaced, exceptOf: lasting) })
        if let retention = records.audit {
            let end = before(retention)
            kinds.append(
                Kind(\.auditEntries) { [masterKey = accounts.masterKey] in
                    try AuditChain(masterKey).prune(until: end, at: present, limit: batch, in: $0)
                })
        }
        if let retention = records.decisions {
            let end = before(retention)
            kinds.append(Kind(\.decisions) { try $0.removeDecisions(until: end, limit: batch) })
        }
        return kinds
    }

    /// The remaining rows of events.
    private func eventKinds(at present: Timestamp) -> [Kind] {
        let (batch, dead) = (Self.batch, present.advanced(by: .zero - events.deadLetters))
        let settled = present.advanced(by: .zero - RowRetention.events)
        return [
            Kind(\.events) { try $0.remove(EventDelivery.self, .delivered, endedBy: settled, limit: batch) },
            Kind(\.events) { try $0.remove(EventDelivery.self, .dropped, endedBy: settled, limit: batch) },
            Kind(\.events) { try $0.remove(EventDelivery.self, .dead, endedBy: dead, limit: batch) },
            Kind(\.events) { try $0.removeEventSequences(endedBy: dead, limit: batch) },
        ]
    }

    /// Repeats bounded removals until nothing is left that had its time when the turn began, however much came in
    /// meanwhile. The kinds take turns, so that a flood of one does not hold up the others.
    private func removeAll(_ kinds: [Kind], counting removed: inout Removed) async throws {
        var left = kinds
        while !left.isEmpty, !Task.isCancelled {
            var unfinished: [Kind] = []
            for kind in left {
                let count = try await leased.write(kind.remove)
                removed[keyPath: kind.counter] += count
                if count >= Self.batch { unfinished.append(kind) }
            }
            left = unfinished
        }
    }

    /// Forgets the uses of ID tokens that have expired.
    private mutating func removeUsedIDTokens(
        expiredBy moment: Timestamp, counting removed: inout Removed
    ) async throws {
        let (store, leased, first) = (accounts.store, leased, usedIDTokensDone)
        try await Self.walk(&usedIDTokensDone, from: []) { start in
            try await store.read { try $0.usedIDTokenStretch(after: start, expiredBy: moment, limit: Self.stretch) }
        } remove: { start, end in
            removed.usedIDTokens += try await leased.write {
                try $0.removeUsedIDTokens(after: start, upTo: end, expiredBy: moment)
            }
        } isEnough: { progress in
            progress.stretches >= Self.idleStretches && Self.isShare(of: first, to: progress.end)
        }
    }

    /// Whether the hashes between two of them, which are spread evenly, are a turn's share of all.
    static func isShare(of start: [UInt8], to end: [UInt8]) -> Bool {
        func place(_ hash: [UInt8]) -> Int { hash.prefix(2).reduce(0) { $0 << 8 | Int($1) } }
        return usedIDTokenCycle * (place(end) - place(start)) >= interval * (1 << 16)
    }

    /// Removes sessions that have ended, and old addresses of the others.
    private mutating func removeSessions(_ ages: SessionAges, counting removed: inout Removed) async throws {
        let (store, leased) = (accounts.store, leased)
        try await Self.walk(&sessionsDone, from: .min) { start in
            try await store.read { try $0.sessionStretch(after: start, ages, limit: Self.stretch) }
        } remove: { start, end in
            let (sessions, addresses) = try await leased.write { transaction in
                (
                    try transaction.removeSessions(after: start, upTo: end, ages),
                    try transaction.forgetAddresses(ofSessionsAfter: start, upTo: end, usedBy: ages.unseenSince)
                )
            }
            removed.sessions += sessions
            removed.addresses += addresses
        } isEnough: {
            $0.idle >= Self.idleStretches
        }
    }

    /// Looks through rows whose ages are not indexed, and continues where the last turn stopped.
    ///
    /// - Parameters:
    ///   - done: The key of the last row that was examined.
    ///   - first: What precedes all keys.
    ///   - find: Reads the stretch after a key.
    ///   - remove: Removes what is due after a key and up to another.
    ///   - isEnough: Whether the turn ends, after so many stretches, so many of them with nothing due, up to a key.
    /// - Throws: What `find` and `remove` throw. What was removed before it stays removed.
    private static func walk<Key>(
        _ done: inout Key, from first: Key, find: (Key) async throws -> Stretch<Key>?,
        remove: (Key, Key) async throws -> Void,
        isEnough: ((stretches: Int, idle: Int, end: Key)) -> Bool
    ) async throws {
        var progress = (stretches: 0, idle: 0, end: done)
        while !isEnough(progress), !Task.isCancelled {
            let found = try await find(done)
            progress.stretches += 1
            if let found, found.due > 0 { try await remove(done, found.end) } else { progress.idle += 1 }
            guard let found, found.isFull else {
                done = first
                return
            }
            done = found.end
            progress.end = done
        }
    }
}
