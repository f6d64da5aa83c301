/// Aliases: further subjects of identities whose accounts the provider merged.
///
/// A subject is an identity's own or an alias of one identity, never both: each insertion checks the other table in the
/// same statement.
extension Transaction {
    /// Makes a subject stand for an identity of the same provider besides its own, for as long as the identity is
    /// there.
    ///
    /// - Returns: false if the subject exists, as an identity or as an alias; then nothing was written.
    package func addAlias(_ alias: IdentityKey, to identityKey: Int64, at now: Timestamp) throws(StoreError) -> Bool {
        try noteTextChange(
            ofOwner: value(
                "add_identity_alias",
                """
                INSERT INTO identity_aliases (provider, issuer, subject, identity_key, created_at)
                SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (
                    SELECT 1 FROM identities WHERE provider = $1 AND issuer = $2 AND subject = $3)
                ON CONFLICT DO NOTHING RETURNING \(IdentityKey.userOfAlias)
                """, .text(alias.provider), .text(alias.issuer), .text(alias.subject), .integer(identityKey),
                .time(now)
            ) { row throws(StoreError) in try row.integer() })
    }

    /// The subjects that stand for an identity besides its own, oldest first.
    package func aliases(of identityKey: Int64) throws(StoreError) -> [IdentityKey] {
        try rows(
            "aliases_of_identity",
            """
            SELECT provider, issuer, subject FROM identity_aliases WHERE identity_key = $1 ORDER BY created_at, subject
            """, .integer(identityKey)
        ) { row throws(StoreError) in
            try IdentityKey(reading: &row)
        }
    }

    /// Removes an alias of an identity.
    ///
    /// - Returns: false if the identity has no such alias.
    package func removeAlias(_ alias: IdentityKey, of identityKey: Int64) throws(StoreError) -> Bool {
        try noteTextChange(
            ofOwner: value(
                "remove_identity_alias",
                """
                DELETE FROM identity_aliases WHERE provider = $1 AND issuer = $2 AND subject = $3 AND identity_key = $4
                RETURNING \(IdentityKey.userOfAlias)
                """, .text(alias.provider), .text(alias.issuer), .text(alias.subject), .integer(identityKey)
            ) { row throws(StoreError) in try row.integer() })
    }
}
