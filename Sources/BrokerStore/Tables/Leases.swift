/// The right to do some work that one broker at a time does for all of them.
package struct Lease: Sendable, Hashable {
    /// Names the work.
    package let name: String
    /// Random, one for each process: the store has no other way to tell brokers apart.
    package let holder: String
    /// How long it lasts without being renewed; at most ``longest``.
    package let duration: Duration

    /// What ends later than this from now was written by a clock that is wrong, and holds nobody off.
    package static let longest = Duration.seconds(3600)

    package init(name: String, holder: String, duration: Duration) {
        self.name = name
        self.holder = holder
        self.duration = min(max(duration, .zero), Self.longest)
    }
}

/// A lease as the store has it.
package struct LeaseRow: Sendable, Hashable {
    package let holder: String
    package let expiresAt: Timestamp
    /// How far the work has come; outlives its holders, and is theirs to interpret.
    package let position: Int64?

    package init(holder: String, expiresAt: Timestamp, position: Int64?) {
        self.holder = holder
        self.expiresAt = expiresAt
        self.position = position
    }
}

/// The statements of `leases`.
enum LeaseStatements {
    static let byName = Statement("lease", "SELECT holder, expires_at, position FROM leases WHERE name = $1", .text)

    static let acquire = Statement(
        "acquire_lease",
        """
        INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
            WHERE leases.holder = excluded.holder OR leases.expires_at <= $4 OR leases.expires_at > $5
        RETURNING name
        """, .text, .text, .integer, .integer, .integer)

    static let renew = Statement(
        "renew_lease",
        """
        UPDATE leases SET expires_at = $3, position = coalesce($4, position) WHERE name = $1 AND holder = $2
        RETURNING name
        """, .text, .text, .integer, .integer)

    static let release = Statement(
        "release_lease", "UPDATE leases SET expires_at = $3 WHERE name = $1 AND holder = $2 RETURNING name",
        .text, .text, .integer)

    /// A write that changes nothing anybody reads. The table stays in its store: neither copies nor comparisons see it.
    /// The value alternates, since SQLite writes no page for a row that stays the same.
    static let touch = Statement(
        "touch_store",
        """
        INSERT INTO leases (name, holder, expires_at) VALUES ('readiness', '', 0)
        ON CONFLICT (name) DO UPDATE SET expires_at = 1 - leases.expires_at
        """)

    static let all = [byName, acquire, renew, release, touch]
}

extension Transaction {
    /// Who has this work, and how far it has come; nil if nobody ever had it.
    package func lease(named name: String) throws(StoreError) -> LeaseRow? {
        guard var row = try run(LeaseStatements.byName, .text(name)).first else { return nil }
        return LeaseRow(holder: try row.text(), expiresAt: try row.time(), position: try row.optionalInteger())
    }

    /// Takes `lease`, or keeps it, unless another holder has one that has not run out.
    ///
    /// - Returns: false if another has it.
    package func acquire(_ lease: Lease, at now: Timestamp) throws(StoreError) -> Bool {
        let rows = try run(
            LeaseStatements.acquire, .text(lease.name), .text(lease.holder),
            .time(now.advanced(by: lease.duration)), .time(now), .time(now.advanced(by: Lease.longest)))
        return !rows.isEmpty
    }

    /// Keeps `lease` in the transaction of a piece of its work, which has to fail if this does.
    ///
    /// - Parameters:
    ///   - lease: What was acquired.
    ///   - position: How far the work has come now; nil leaves it.
    ///   - now: The moment from which on it lasts.
    /// - Returns: false if another has taken it.
    /// - Throws: ``StoreError``.
    package func renew(_ lease: Lease, position: Int64? = nil, at now: Timestamp) throws(StoreError) -> Bool {
        let rows = try run(
            LeaseStatements.renew, .text(lease.name), .text(lease.holder),
            .time(now.advanced(by: lease.duration)), .integer(orNull: position))
        return !rows.isEmpty
    }

    /// Gives `lease` back, so that nobody has to wait for its end.
    ///
    /// - Returns: false if another has taken it.
    @discardableResult
    package func release(_ lease: Lease, at now: Timestamp) throws(StoreError) -> Bool {
        try !run(LeaseStatements.release, .text(lease.name), .text(lease.holder), .time(now)).isEmpty
    }
}
