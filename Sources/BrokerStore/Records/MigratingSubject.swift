// Generated from `migrating_subjects` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// One user's identity on its way to the subject of the app's new owner.
package struct MigratingSubject: Record {
    /// The user as the app's new owner sees them.
    package struct Successor: Sendable, Hashable {
        package var subject: String
        package var email: String?
        package var isRelay: Bool
        /// The provider's answer, JSON as text; its members replace those of the identity's profile.
        package var profile: String?

        package init(subject: String, email: String? = nil, isRelay: Bool = false, profile: String? = nil) {
            self.subject = subject
            self.email = email
            self.isRelay = isRelay
            self.profile = profile
        }
    }

    package var migrationKey: Int64
    package var identityKey: Int64
    /// The subject at the former owner.
    package var subject: String
    /// The transfer subject of this user, which the former owner gives the new one.
    package var transferSubject: String?
    package var successor: Successor?
    package var state: State
    /// The reason the state is `failed`.
    package var reason: String?
    package var changedAt: Timestamp

    package init(
        migrationKey: Int64, identityKey: Int64, subject: String, transferSubject: String? = nil,
        successor: Successor? = nil, state: State = .pending, reason: String? = nil, changedAt: Timestamp
    ) {
        self.migrationKey = migrationKey
        self.identityKey = identityKey
        self.subject = subject
        self.transferSubject = transferSubject
        self.successor = successor
        self.state = state
        self.reason = reason
        self.changedAt = changedAt
    }
}

extension MigratingSubject {
    package static let table = TableDefinition.migratingSubjects
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        migrationKey = try row.integer()
        identityKey = try row.integer()
        subject = try row.text()
        transferSubject = try row.optionalText()
        let successorSubject = try row.optionalText()
        let successorEmail = try row.optionalText()
        let successorIsRelay = try row.flag()
        let successorProfile = try row.optionalText()
        if let successorSubject {
            successor = Successor(
                subject: successorSubject, email: successorEmail, isRelay: successorIsRelay, profile: successorProfile)
        } else {
            successor = nil
        }
        state = try row.choice(State.self)
        reason = try row.optionalText()
        changedAt = try row.time()
    }

    package var values: [SQLValue] {
        [
            .integer(migrationKey), .integer(identityKey), .text(subject), .text(orNull: transferSubject),
            .text(orNull: successor?.subject), .text(orNull: successor?.email), .flag(successor?.isRelay ?? false),
            .text(orNull: successor?.profile), .text(state.rawValue), .text(orNull: reason), .time(changedAt),
        ]
    }
}
