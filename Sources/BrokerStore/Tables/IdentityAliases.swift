/// The statements of `identity_aliases`: further subjects of identities whose accounts the provider merged.
///
/// A subject is an identity's own or an alias of one identity, never both: each insertion checks the other table in the
/// same statement.
enum IdentityAliasStatements {
    /// The key of the identity a subject stands for, `$1` to `$3` being provider, issuer and subject. Aliases are
    /// looked at only when no identity has the subject for its own.
    static let identityKey = """
        coalesce(
            (SELECT own.key FROM identities AS own WHERE own.provider = $1 AND own.issuer = $2 AND own.subject = $3),
            (SELECT alias.identity_key FROM identity_aliases AS alias
                WHERE alias.provider = $1 AND alias.issuer = $2 AND alias.subject = $3))
        """

    static let add = Statement(
        "add_identity_alias",
        """
        INSERT INTO identity_aliases (provider, issuer, subject, identity_key, created_at)
        SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (
            SELECT 1 FROM identities WHERE provider = $1 AND issuer = $2 AND subject = $3)
        ON CONFLICT DO NOTHING RETURNING identity_key
        """, .text, .text, .text, .integer, .integer)

    static let ofIdentity = Statement(
        "aliases_of_identity",
        "SELECT provider, issuer, subject FROM identity_aliases WHERE identity_key = $1 ORDER BY created_at, subject",
        .integer)

    static let move = Statement(
        "move_identity_aliases", "UPDATE identity_aliases SET identity_key = $2 WHERE identity_key = $1",
        .integer, .integer)

    static let remove = Statement(
        "remove_identity_alias",
        """
        DELETE FROM identity_aliases WHERE provider = $1 AND issuer = $2 AND subject = $3 AND identity_key = $4
        RETURNING identity_key
        """, .text, .text, .text, .integer)

    static let all = [add, ofIdentity, move, remove]
}

extension Transaction {
    /// Makes a subject stand for an identity of the same provider besides its own, for as long as the identity is
    /// there.
    ///
    /// - Returns: false if the subject exists, as an identity or as an alias; then nothing was written.
    package func addAlias(_ alias: IdentityKey, to identityKey: Int64, at now: Timestamp) throws(StoreError) -> Bool {
        let rows = try run(
            IdentityAliasStatements.add, .text(alias.provider), .text(alias.issuer), .text(alias.subject),
            .integer(identityKey), .time(now))
        return !rows.isEmpty
    }

    /// The subjects that stand for an identity besides its own, oldest first.
    package func aliases(of identityKey: Int64) throws(StoreError) -> [IdentityKey] {
        try run(IdentityAliasStatements.ofIdentity, .integer(identityKey)).map { row throws(StoreError) in
            var row = row
            return try IdentityKey(provider: row.text(), issuer: row.text(), subject: row.text())
        }
    }

    /// Removes an alias of an identity.
    ///
    /// - Returns: false if the identity has no such alias.
    package func removeAlias(_ alias: IdentityKey, of identityKey: Int64) throws(StoreError) -> Bool {
        try !run(
            IdentityAliasStatements.remove, .text(alias.provider), .text(alias.issuer), .text(alias.subject),
            .integer(identityKey)
        ).isEmpty
    }

    /// Makes every alias of one identity stand for another.
    package func moveAliases(from identityKey: Int64, to survivor: Int64) throws(StoreError) {
        try run(IdentityAliasStatements.move, .integer(identityKey), .integer(survivor))
    }
}
