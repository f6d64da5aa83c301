// Generated from `console_administrators` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// An administrator of the console: a subject at a provider. No user's row is involved.
package struct ConsoleAdministrator: Record {
    /// Private, time-ordered.
    package var key: Int64
    /// The public id, for lists and the audit.
    package var id: String
    /// The id of the provider entry that verifies the subject.
    package var provider: String
    package var issuer: String
    package var subject: String
    /// The name at the provider at the latest sign-in.
    package var name: String
    /// The role that an invitation gave; nil where the configuration names the administrator.
    package var role: String?
    /// The address of the configuration that was bound to the subject at its first use, canonical.
    package var email: String?
    package var createdAt: Timestamp
    package var lastSignInAt: Timestamp?

    package init(
        key: Int64, id: String, provider: String, issuer: String, subject: String, name: String, role: String? = nil,
        email: String? = nil, createdAt: Timestamp, lastSignInAt: Timestamp? = nil
    ) {
        self.key = key
        self.id = id
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
        self.name = name
        self.role = role
        self.email = email
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
    }
}

extension ConsoleAdministrator {
    package static let table = TableDefinition.consoleAdministrators
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        provider = try row.text()
        issuer = try row.text()
        subject = try row.text()
        name = try row.text()
        role = try row.optionalText()
        email = try row.optionalText()
        createdAt = try row.time()
        lastSignInAt = try row.optionalTime()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(id), .text(provider), .text(issuer), .text(subject), .text(name), .text(orNull: role),
            .text(orNull: email), .time(createdAt), .time(orNull: lastSignInAt),
        ]
    }
}
