extension Identity {
    package var provider: String { identity.provider }
    package var issuer: String { identity.issuer }
    package var subject: String { identity.subject }

    /// A subject is an identity's own or an alias, never both.
    static let linking = Statement(
        "insert_identity",
        """
        INSERT INTO identities (\(Identity.columnNames))
        SELECT \(Identity.parameters) WHERE NOT EXISTS (
            SELECT 1 FROM identity_aliases WHERE provider = $3 AND issuer = $4 AND subject = $5)
        ON CONFLICT DO NOTHING
        """, parameters: RecordStatements(Identity.table).insertion.parameters)
}

extension Transaction {
    /// Links `identity` to its user.
    ///
    /// - Returns: false if it is linked already or stands for another identity, or the user has another one of that
    ///   provider.
    package func insert(_ identity: Identity) throws(StoreError) -> Bool {
        if try run(Identity.linking, values: identity.values) > 0 {
            noteTexts(ofNew: identity)
            return true
        }
        try refuseTakenKey(of: identity)
        return false
    }

    /// The linked identity with this key, or the one it is an alias of.
    package func identity(_ key: IdentityKey) throws(StoreError) -> Identity? {
        try first(
            "identity_by_identity_key",
            "SELECT \(Identity.columns) FROM identities WHERE identities.key = \(IdentityKey.lookup)",
            .text(key.provider), .text(key.issuer), .text(key.subject))
    }

    /// The user of the linked identity with this key, or of the one it is an alias of, with that identity and the number of
    /// identities of the user.
    package func holder(of key: IdentityKey) throws(StoreError) -> (user: User, identity: Identity, count: Int64)? {
        try value(
            "holder_of_identity_key",
            """
            SELECT \(User.columns), \(Identity.columns), (
                SELECT count(*) FROM identities AS others WHERE others.user_key = identities.user_key)
            FROM identities JOIN users ON users.key = identities.user_key
            WHERE identities.key = \(IdentityKey.lookup)
            """, .text(key.provider), .text(key.issuer), .text(key.subject)
        ) { row throws(StoreError) in
            (try User(reading: &row), try Identity(reading: &row), try row.integer())
        }
    }

    /// The identity with this row key.
    package func identity(key: Int64) throws(StoreError) -> Identity? {
        try first("identity_by_key", "SELECT \(Identity.columns) FROM identities WHERE key = $1", .integer(key))
    }

    /// A user's identities, in the order in which they were linked.
    package func identities(of userKey: Int64) throws(StoreError) -> [Identity] {
        try all(
            "identities_of_user", "SELECT \(Identity.columns) FROM identities WHERE user_key = $1 ORDER BY key",
            .integer(userKey))
    }

    /// Takes every identity away from a user, with the grants that belong to them.
    package func removeIdentities(of userKey: Int64) throws(StoreError) {
        try run("remove_identities_of_user", "DELETE FROM identities WHERE user_key = $1", .integer(userKey))
        noteTextChange(of: userKey)
    }

    /// Replaces the provider's claims about the user, as after each sign-in; nil clears a value.
    ///
    /// - Parameters:
    ///   - known: The identity as the transaction has read it.
    ///   - renewed: The identity with the claims of now.
    /// - Throws: ``StoreError``.
    package func refreshProfile(of known: Identity, to renewed: Identity) throws(StoreError) {
        try run(
            "refresh_identity_profile",
            """
            UPDATE identities SET display_name = $2, photo_url = $3, screen_name = $4, profile = $5,
                last_sign_in_at = $6, anonymous = $7, was_anonymous = $8, email_verified = $9,
                consent_revoked_at = NULL, removal_at = NULL, imported_at = $10
            WHERE key = $1
            """, .integer(known.key), .text(orNull: renewed.displayName), .text(orNull: renewed.photoURL),
            .text(orNull: renewed.screenName), .text(renewed.profile), .time(renewed.lastSignInAt),
            .flag(renewed.isAnonymous), .flag(renewed.wasAnonymous), .flag(renewed.isEmailVerified),
            .time(orNull: renewed.importedAt))
        if renewed.displayName != known.displayName || renewed.screenName != known.screenName
            || renewed.email != known.email
        {
            noteTextChange(of: known.userKey)
        }
        // Apart, since it stands in an index, which is written even where the value stays the same.
        guard renewed.email.map({ Array($0.utf8) }) != known.email.map({ Array($0.utf8) }) else { return }
        try run(
            "set_identity_email", "UPDATE identities SET email = $2 WHERE key = $1", .integer(known.key),
            .text(orNull: renewed.email))
    }

    /// Gives one identity of a user to another, with its grants.
    ///
    /// - Returns: false if the user does not have it.
    package func moveIdentity(key: Int64, from userKey: Int64, to heir: Int64) throws(StoreError) -> Bool {
        noteTextChange(of: userKey)
        noteTextChange(of: heir)
        return try run(
            "move_identity", "UPDATE identities SET user_key = $3 WHERE key = $1 AND user_key = $2",
            .integer(key), .integer(userKey), .integer(heir)) > 0
    }

    /// Takes an identity from its user; the provider's grant goes with it.
    ///
    /// - Returns: false if it was gone already.
    package func deleteIdentity(key: Int64) throws(StoreError) -> Bool {
        let owner = try value(
            "delete_identity", "DELETE FROM identities WHERE key = $1 RETURNING user_key", .integer(key)
        ) { row throws(StoreError) in try row.integer() }
        return noteTextChange(ofOwner: owner)
    }

    /// Gives an identity another issuer and subject, with what the provider asserts about the user under it. Grants are
    /// sealed for the earlier ones, so the caller removes or reseals them in the same transaction.
    ///
    /// - Returns: false if the subject exists, as an identity or as an alias, or the identity is gone; then nothing was
    ///   written.
    package func replaceSubject(
        of identityKey: Int64, issuer: String, subject: String, email: String?, isEmailVerified: Bool, profile: String
    ) throws(StoreError) -> Bool {
        // A subject is an identity's own or an alias, never both.
        try noteTextChange(
            ofOwner: value(
                "replace_identity_subject",
                """
                UPDATE identities SET issuer = $2, subject = $3, email = $4, email_verified = $5, profile = $6
                WHERE key = $1 AND NOT EXISTS (
                    SELECT 1 FROM identity_aliases AS alias
                    WHERE alias.provider = identities.provider AND alias.issuer = $2 AND alias.subject = $3)
                    AND NOT EXISTS (
                    SELECT 1 FROM identities AS other
                    WHERE other.provider = identities.provider AND other.issuer = $2 AND other.subject = $3)
                RETURNING user_key
                """, .integer(identityKey), .text(issuer), .text(subject), .text(orNull: email), .flag(isEmailVerified),
                .text(profile)
            ) { row throws(StoreError) in try row.integer() })
    }
}
