import BrokerStore
import OAuth

/// Writes the words by which users are found where they are missing or others than the user's texts have: after an upgrade
/// those of all users, later those of users that an older broker has changed (Docs/Decisions/0058-search-words.md). One
/// broker at a time passes over all users.
package struct UserWordRepair: StoreLayer {
    package let stored: StoreContext
    private let leased: LeasedWork

    /// How often a running server looks whether a pass is due.
    package static let interval = Duration.seconds(60)
    /// The time from a pass that repaired something to the next one: an older broker may still run.
    static let soon = Duration.seconds(600)
    /// The same after a pass that repaired nothing.
    static let later = Duration.seconds(86_400)
    /// Users that one read looks at.
    private static let stretch = 500
    /// Users that one transaction writes at most: others wait to write meanwhile.
    private static let batch = 25
    /// Less than every key.
    private static let beginning: Int64 = 0

    package init(_ stored: StoreContext) {
        self.stored = stored
        // A pass by another rule does not go on where this one would.
        let lease = Lease(
            name: "user-words-\(SearchWords.rule)", holder: RandomText.alphanumeric(22), duration: .seconds(180))
        leased = LeasedWork(lease, in: stored.store, now: stored.clock)
    }

    /// Passes over all users, if a pass is due and no other broker does it.
    ///
    /// - Returns: The number of users whose words were written.
    /// - Throws: A store's error. What was written before it stays.
    @discardableResult
    package func turn() async throws -> Int {
        let outcome = try await leased.withLease { transaction, lease -> Int64? in
            let now = transaction.now
            guard try transaction.acquire(lease, at: now) else { return nil }
            // During a pass it is the last user, between two passes the time of the next one below zero.
            let position = try transaction.lease(named: lease.name)?.position ?? Self.beginning
            guard position < 0 else { return position }
            let next = Timestamp(milliseconds: -position)
            // A later time was written with a wrong clock.
            return next <= now || next > now.advanced(by: Self.later) ? Self.beginning : nil
        } _: {
            try await pass(after: $0)
        }
        guard case .done(let written) = outcome else { return 0 }
        return written
    }

    /// Lets another broker take the next turn, when this one stops.
    package func release() async throws { try await leased.release() }

    private func pass(after start: Int64) async throws -> Int {
        var (position, written) = (start, 0)
        while !Task.isCancelled {
            let begun = ContinuousClock.now
            let found = try await store.read { [position] in
                try $0.usersWithOtherWords(after: position, limit: Self.stretch)
            }
            for index in stride(from: 0, to: found.users.count, by: Self.batch) {
                let users = found.users[index...].prefix(Self.batch)
                try await leased.write { transaction in for user in users { transaction.noteTextChange(of: user) } }
            }
            written += found.users.count
            guard let last = found.last else {
                try await end(hasWritten: written > 0)
                return written
            }
            position = last
            try await move(to: last)
            // Sign-ins come first.
            try? await Task.sleep(for: begun.duration(to: .now))
        }
        return written
    }

    private func end(hasWritten: Bool) async throws {
        try await leased.write { transaction in try transaction.recordWordsOfAllUsers() }
        try await move(to: -now.advanced(by: hasWritten ? Self.soon : Self.later).milliseconds)
    }

    private func move(to position: Int64) async throws {
        try await leased.write { [lease = leased.lease] transaction in
            _ = try transaction.renew(lease, position: position, at: transaction.now)
        }
    }
}
