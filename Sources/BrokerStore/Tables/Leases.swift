/// The right to do some work that one broker at a time does for all of them.
package struct Lease: Sendable, Hashable {
    /// Names the work.
    package let name: String
    /// A random id of the process, which distinguishes brokers.
    package let holder: String
    /// The duration without a renewal; at most ``longest``.
    package let duration: Duration

    /// The name of the lease on housekeeping.
    package static let housekeeping = "housekeeping"

    /// The maximum duration. A lease that ends later was written with a wrong clock and is ignored.
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
    /// The progress of the work, which outlives the holders; they define its format.
    package let position: Int64?

    package init(holder: String, expiresAt: Timestamp, position: Int64?) {
        self.holder = holder
        self.expiresAt = expiresAt
        self.position = position
    }
}

extension LeaseRow {
    /// A probe write. Copies and comparisons skip its table. The value alternates, because SQLite writes no page for an
    /// unchanged row.
    static let touch = Statement(
        "touch_store",
        """
        INSERT INTO leases (name, holder, expires_at) VALUES ('readiness', '', 0)
        ON CONFLICT (name) DO UPDATE SET expires_at = 1 - leases.expires_at
        """)
}

extension Transaction {
    /// The holder and the progress of this work; nil if there was never a holder.
    package func lease(named name: String) throws(StoreError) -> LeaseRow? {
        try value("lease", "SELECT holder, expires_at, position FROM leases WHERE name = $1", .text(name)) {
            row throws(StoreError) in
            LeaseRow(holder: try row.text(), expiresAt: try row.time(), position: try row.optionalInteger())
        }
    }

    /// Takes `lease`, or keeps it, unless another holder has one that has not run out.
    ///
    /// - Parameters:
    ///   - lease: The lease.
    ///   - now: The present.
    ///   - takesOver: Whether another holder's lease is taken even before it runs out.
    /// - Returns: false if another has it.
    /// - Throws: ``StoreError``.
    package func acquire(
        _ lease: Lease, at now: Timestamp, takingOver takesOver: Bool = false
    ) throws(StoreError) -> Bool {
        try run(
            "acquire_lease",
            """
            INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
                WHERE leases.holder = excluded.holder OR leases.expires_at <= $4 OR leases.expires_at > $5
            """,
            .text(lease.name), .text(lease.holder), .time(now.advanced(by: lease.duration)),
            .integer(takesOver ? .max : now.milliseconds), .time(now.advanced(by: Lease.longest))) > 0
    }

    /// Keeps `lease` in the transaction of a piece of its work, which has to fail if this does.
    ///
    /// - Parameters:
    ///   - lease: The acquired lease.
    ///   - position: The new progress; nil leaves it unchanged.
    ///   - now: The start of the renewed duration.
    /// - Returns: false if another process holds the lease.
    /// - Throws: ``StoreError``.
    package func renew(_ lease: Lease, position: Int64? = nil, at now: Timestamp) throws(StoreError) -> Bool {
        try run(
            "renew_lease",
            """
            UPDATE leases SET expires_at = $3, position = coalesce($4, position) WHERE name = $1 AND holder = $2
            """,
            .text(lease.name), .text(lease.holder), .time(now.advanced(by: lease.duration)),
            .integer(orNull: position)) > 0
    }

    /// Releases `lease` before its end.
    ///
    /// - Returns: false if another process holds the lease.
    @discardableResult
    package func release(_ lease: Lease, at now: Timestamp) throws(StoreError) -> Bool {
        try run(
            "release_lease", "UPDATE leases SET expires_at = $3 WHERE name = $1 AND holder = $2",
            .text(lease.name), .text(lease.holder), .time(now)) > 0
    }
}
