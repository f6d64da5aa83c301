import StoreSchema

/// Something that is true of every whole store, with the statement that finds the rows of which it is not.
struct Invariant: Sendable {
    /// The maximum number of reported rows.
    static let limit = 1000

    let table: String
    /// The fault of a found row.
    let complaint: String
    /// Answers with what names the rows in a report. `$1`: how many at most.
    let statement: Statement

    init(_ table: String, _ name: String, _ complaint: String, _ sql: String) {
        self.table = table
        self.complaint = complaint
        statement = Statement("verify_\(name)", "\(sql) LIMIT $1", parameters: [.integer])
    }
}

extension Invariant {
    /// All of them: those that follow from the tables' shapes, and those only we know.
    static let all: [Invariant] =
        TableDefinition.all.flatMap(parents) + TableDefinition.all.flatMap(uniques) + ofMeaning

    /// No row is without the row it belongs to.
    private static func parents(_ table: TableDefinition) -> [Invariant] {
        table.parents.map { parent in
            let row = "\(table.name).\(table.reportColumn)"
            return Invariant(
                table.name, "\(table.name)_\(parent.column)",
                "belongs to a row of \(parent.table) that is not there (\(parent.column))",
                """
                SELECT \(row) FROM \(table.name) WHERE \(table.name).\(parent.column) IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM \(parent.table) AS parent WHERE parent.key = \(table.name).\(parent.column))
                ORDER BY \(row)
                """)
        }
    }

    /// No two rows share what is unique. Of those that do, the last is named.
    private static func uniques(_ table: TableDefinition) -> [Invariant] {
        let keys = [table.key.map(\.name)] + table.uniques.map(\.columns)
        return keys.enumerated().map { index, columns in
            let known = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
            return Invariant(
                table.name, "\(table.name)_unique_\(index)",
                "is not the only one with its \(columns.joined(separator: ", "))",
                """
                SELECT max(\(table.reportColumn)) FROM \(table.name) WHERE \(known)
                GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1
                """)
        }
    }

    private static let ofMeaning = [
        Invariant(
            "identity_aliases", "aliases_of_owned_subjects", "has a subject that is another identity's own",
            """
            SELECT identity_aliases.identity_key FROM identity_aliases JOIN identities
                ON identities.provider = identity_aliases.provider AND identities.issuer = identity_aliases.issuer
                AND identities.subject = identity_aliases.subject
            ORDER BY identity_aliases.identity_key
            """),
        Invariant(
            "user_aliases", "aliases_of_users", "is the local id of a user, besides standing for another",
            """
            SELECT user_aliases.user_key FROM user_aliases JOIN users ON users.local_id = user_aliases.local_id
            ORDER BY user_aliases.user_key
            """),
        Invariant(
            "sessions", "sessions_ahead", "has an epoch its user has not reached",
            """
            SELECT sessions.key FROM sessions JOIN users ON users.key = sessions.user_key
            WHERE sessions.epoch > users.epoch ORDER BY sessions.key
            """),
        Invariant(
            "sessions", "sessions_half_revoked", "is half revoked, or in a generation below the first",
            """
            SELECT key FROM sessions
            WHERE (revoked_at IS NULL) <> (revoked_reason IS NULL) OR generation < 0 ORDER BY key
            """),
        Invariant(
            "users", "users_addresses", "has an e-mail address only by half, or a verified one without having it",
            """
            SELECT key FROM users WHERE (email IS NULL) <> (email_canonical IS NULL)
                OR (email IS NULL AND email_verified <> 0) ORDER BY key
            """),
        Invariant(
            "users", "users_empty_ids", "has no local id", "SELECT key FROM users WHERE local_id = '' ORDER BY key"),
        Invariant(
            "identities", "identities_empty_subjects", "has no subject",
            "SELECT key FROM identities WHERE subject = '' ORDER BY key"),
        Invariant(
            "pending_tokens", "pending_tokens_used_late", "was used after it had expired",
            "SELECT key FROM pending_tokens WHERE consumed_at >= expires_at ORDER BY key"),
        Invariant(
            "authorization_codes", "authorization_codes_used_late", "was used after it had expired",
            "SELECT key FROM authorization_codes WHERE consumed_at >= expires_at ORDER BY key"),
        Invariant(
            "pending_merges", "pending_merges_of_one", "is of one user with themselves",
            "SELECT key FROM pending_merges WHERE survivor_key = absorbed_key ORDER BY key"),
        // Both or none: keys that are all revoked are replaced at the next start.
        Invariant(
            "signing_keys", "signing_keys_unpaired", "is usable, while its family has none of another algorithm",
            """
            SELECT key FROM signing_keys WHERE state <> 'revoked' AND NOT EXISTS (
                SELECT 1 FROM signing_keys AS other WHERE other.family = signing_keys.family
                    AND other.algorithm <> signing_keys.algorithm AND other.state <> 'revoked')
            ORDER BY key
            """),
    ]
}
