// Generated from `subject_migrations` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A migration of one provider entry's users from the subjects of one owner of an app to those of another.
package struct SubjectMigrationJob: Record {
    /// The reason a job stopped before its end.
    package struct Pause: Sendable, Hashable {
        package var at: Timestamp
        /// Stable, lower-case with hyphens.
        package var code: String
        /// For the operator.
        package var reason: String

        package init(at: Timestamp, code: String, reason: String) {
            self.at = at
            self.code = code
            self.reason = reason
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
}

extension SubjectMigrationJob {
    package static let table = TableDefinition.subjectMigrations
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        provider = try row.text()
        sourceIssuer = try row.text()
        targetIssuer = try row.text()
        phase = try row.choice(Phase.self)
        windowSeconds = try row.integer()
        startedAt = try row.time()
        transferredAt = try row.optionalTime()
        warnedDays = try row.optionalInteger()
        let pauseAt = try row.optionalTime()
        let pauseCode = try row.optionalText()
        let pauseReason = try row.optionalText()
        if let pauseAt, let pauseCode, let pauseReason {
            pause = Pause(at: pauseAt, code: pauseCode, reason: pauseReason)
        } else {
            pause = nil
        }
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(provider), .text(sourceIssuer), .text(targetIssuer), .text(phase.rawValue),
            .integer(windowSeconds), .time(startedAt), .time(orNull: transferredAt), .integer(orNull: warnedDays),
            .time(orNull: pause?.at), .text(orNull: pause?.code), .text(orNull: pause?.reason),
        ]
    }
}
