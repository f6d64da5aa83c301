/// The statements of `identities`.
enum IdentityStatements {
    static let insert = Statement(
        "insert_identity",
        """
        INSERT INTO identities (key, user_key, provider, issuer, subject, email, email_verified, display_name,
            photo_url, screen_name, profile, linked_at, last_sign_in_at, anonymous,
            was_anonymous)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 WHERE NOT EXISTS (
            SELECT 1 FROM identity_aliases WHERE provider = $3 AND issuer = $4 AND subject = $5)
        ON CONFLICT DO NOTHING RETURNING key
        """,
        .integer, .integer, .text, .text, .text, .text, .integer, .text, .text, .text, .text, .integer, .integer,
        .integer, .integer)

    static let byIdentityKey = Statement(
        "identity_by_identity_key",
        "SELECT \(Identity.columns) FROM identities WHERE identities.key = \(IdentityAliasStatements.identityKey)",
        .text, .text, .text)

    static let byKey = Statement(
        "identity_by_key", "SELECT \(Identity.columns) FROM identities WHERE key = $1", .integer)

    static let ofUser = Statement(
        "identities_of_user", "SELECT \(Identity.columns) FROM identities WHERE user_key = $1 ORDER BY key", .integer)

    static let refreshProfile = Statement(
        "refresh_identity_profile",
        """
        UPDATE identities SET email = $2, email_verified = $3, display_name = $4, photo_url = $5, screen_name = $6,
            profile = $7, last_sign_in_at = $8, anonymous = $9, was_anonymous = $10, consent_revoked_at = NULL,
            removal_at = NULL
        WHERE key = $1
        """, .integer, .text, .integer, .text, .text, .text, .text, .integer, .integer, .integer)

    static let removeAll = Statement(
        "remove_identities_of_user", "DELETE FROM identities WHERE user_key = $1", .integer)

    static let delete = Statement("delete_identity", "DELETE FROM identities WHERE key = $1 RETURNING key", .integer)

    static let move = Statement(
        "move_identities", "UPDATE identities SET user_key = $2 WHERE user_key = $1", .integer, .integer)

    static let moveOne = Statement(
        "move_identity", "UPDATE identities SET user_key = $3 WHERE key = $1 AND user_key = $2 RETURNING key",
        .integer, .integer, .integer)

    /// A subject is an identity's own or an alias, never both.
    static let replaceSubject = Statement(
        "replace_identity_subject",
        """
        UPDATE identities SET issuer = $2, subject = $3, email = $4, email_verified = $5, profile = $6
        WHERE key = $1 AND NOT EXISTS (
            SELECT 1 FROM identity_aliases AS alias
            WHERE alias.provider = identities.provider AND alias.issuer = $2 AND alias.subject = $3)
            AND NOT EXISTS (
            SELECT 1 FROM identities AS other
            WHERE other.provider = identities.provider AND other.issuer = $2 AND other.subject = $3)
        RETURNING key
        """, .integer, .text, .text, .text, .integer, .text)

    static let all = [
        insert, byIdentityKey, byKey, ofUser, refreshProfile, removeAll, delete, move, moveOne, replaceSubject,
    ]
}

extension Transaction {
    /// Links `identity` to its user.
    ///
    /// - Returns: false if it is linked already or stands for another identity, or the user has another one of that
    ///   provider.
    package func insert(_ identity: Identity) throws(StoreError) -> Bool {
        try insert(
            IdentityStatements.insert, key: identity.key, unless: RowKeyStatements.identities, values: identity.values)
    }

    /// The linked identity with this key, or the one it is an alias of.
    package func identity(_ key: IdentityKey) throws(StoreError) -> Identity? {
        let rows = try run(
            IdentityStatements.byIdentityKey, .text(key.provider), .text(key.issuer), .text(key.subject))
        guard var row = rows.first else { return nil }
        return try Identity(reading: &row)
    }

    /// The identity with this row key.
    package func identity(key: Int64) throws(StoreError) -> Identity? {
        guard var row = try run(IdentityStatements.byKey, .integer(key)).first else { return nil }
        return try Identity(reading: &row)
    }

    /// A user's identities, in the order in which they were linked.
    package func identities(of userKey: Int64) throws(StoreError) -> [Identity] {
        try run(IdentityStatements.ofUser, .integer(userKey)).map { row throws(StoreError) in
            var row = row
            return try Identity(reading: &row)
        }
    }

    /// Takes every identity away from a user, with the grants that belong to them.
    package func removeIdentities(of userKey: Int64) throws(StoreError) {
        try run(IdentityStatements.removeAll, .integer(userKey))
    }

    /// Replaces the provider's claims about the user, as after each sign-in; nil clears a value.
    package func refreshProfile(
        of identityKey: Int64, email: String?, isEmailVerified: Bool, displayName: String?, photoURL: String?,
        screenName: String?, profile: String, isAnonymous: Bool, wasAnonymous: Bool = false, at now: Timestamp
    ) throws(StoreError) {
        try run(
            IdentityStatements.refreshProfile, .integer(identityKey), .text(orNull: email), .flag(isEmailVerified),
            .text(orNull: displayName), .text(orNull: photoURL), .text(orNull: screenName), .text(profile), .time(now),
            .flag(isAnonymous), .flag(wasAnonymous))
    }

    /// Gives every identity of one user to another, with the grants that belong to them. The two have no provider in
    /// common, which is for the caller to make sure of in the same transaction.
    package func moveIdentities(from userKey: Int64, to survivor: Int64) throws(StoreError) {
        try run(IdentityStatements.move, .integer(userKey), .integer(survivor))
    }

    /// Gives one identity of a user to another, with its grants.
    ///
    /// - Returns: false if the user does not have it.
    package func moveIdentity(key: Int64, from userKey: Int64, to heir: Int64) throws(StoreError) -> Bool {
        try !run(IdentityStatements.moveOne, .integer(key), .integer(userKey), .integer(heir)).isEmpty
    }

    /// Takes an identity from its user; the provider's grant goes with it.
    ///
    /// - Returns: false if it was gone already.
    package func deleteIdentity(key: Int64) throws(StoreError) -> Bool {
        try !run(IdentityStatements.delete, .integer(key)).isEmpty
    }

    /// Gives an identity another issuer and subject, with what the provider asserts about the user under it. Grants are
    /// sealed for the earlier ones, so the caller removes or reseals them in the same transaction.
    ///
    /// - Returns: false if the subject exists, as an identity or as an alias, or the identity is gone; then nothing was
    ///   written.
    package func replaceSubject(
        of identityKey: Int64, issuer: String, subject: String, email: String?, isEmailVerified: Bool, profile: String
    ) throws(StoreError) -> Bool {
        try !run(
            IdentityStatements.replaceSubject, .integer(identityKey), .text(issuer), .text(subject),
            .text(orNull: email), .flag(isEmailVerified), .text(profile)
        ).isEmpty
    }
}
