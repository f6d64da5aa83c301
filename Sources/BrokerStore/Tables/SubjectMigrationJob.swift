/// A migration of one provider entry's users from the subjects of one owner of an app to those of another.
package struct SubjectMigrationJob: Sendable, Hashable {
    /// The phase that runs, or ran last.
    package enum Phase: String, Sendable, Hashable {
        /// The former owner requests a transfer subject for each user.
        case prepare
        /// The new owner exchanges transfer subjects, and the new subjects replace the old ones.
        case exchange
    }

    /// The reason a job stopped before its end.
    package struct Pause: Sendable, Hashable {
        package var at: Timestamp
        /// Stable, lower-case with hyphens.
        package var code: String
        /// For the operator.
        package var reason: String

        package init(at: Timestamp, code: String, reason: String) {
            (self.at, self.code, self.reason) = (at, code, reason)
        }
    }

    /// Private, time-ordered.
    package var key: Int64
    /// The id of the provider entry.
    package var provider: String
    /// The issuer of the identities before the migration.
    package var sourceIssuer: String
    /// Their issuer afterwards.
    package var targetIssuer: String
    package var phase: Phase
    /// The seconds from the transfer of the app until subjects can no longer be exchanged.
    package var windowSeconds: Int64
    package var startedAt: Timestamp
    /// When the app was transferred, as far as it is known.
    package var transferredAt: Timestamp?
    /// The threshold in days of the last warning about the end of the window.
    package var warnedDays: Int64?
    package var pause: Pause?

    package init(
        key: Int64, provider: String, sourceIssuer: String, targetIssuer: String, phase: Phase, windowSeconds: Int64,
        startedAt: Timestamp, transferredAt: Timestamp? = nil, warnedDays: Int64? = nil, pause: Pause? = nil
    ) {
        self.key = key
        self.provider = provider
        self.sourceIssuer = sourceIssuer
        self.targetIssuer = targetIssuer
        self.phase = phase
        self.windowSeconds = windowSeconds
        self.startedAt = startedAt
        self.transferredAt = transferredAt
        self.warnedDays = warnedDays
        self.pause = pause
    }

    /// The end of the window; nil while the transfer of the app is not known.
    package var closesAt: Timestamp? { transferredAt?.advanced(by: .seconds(windowSeconds)) }

    /// Whether subjects can still be exchanged.
    package func isOpen(at now: Timestamp) -> Bool { closesAt.map { now < $0 } ?? true }
}

extension SubjectMigrationJob {
    /// All columns, in the order in which `init(reading:)` reads them.
    static let columns = list(of: "subject_migrations")

    static func list(of table: String) -> String {
        [
            "key", "provider", "source_issuer", "target_issuer", "phase", "window_seconds", "started_at",
            "transferred_at", "warned_days", "paused_at", "pause_code", "pause_reason",
        ].map { "\(table).\($0)" }.joined(separator: ", ")
    }

    init(reading row: inout Row) throws(StoreError) {
        try self.init(
            key: row.integer(), provider: row.text(), sourceIssuer: row.text(), targetIssuer: row.text(),
            phase: row.choice(Phase.self), windowSeconds: row.integer(), startedAt: row.time(),
            transferredAt: row.optionalTime(), warnedDays: row.optionalInteger())
        let (at, code, reason) = try (row.optionalTime(), row.optionalText(), row.optionalText())
        if let at, let code, let reason { pause = Pause(at: at, code: code, reason: reason) }
    }
}
