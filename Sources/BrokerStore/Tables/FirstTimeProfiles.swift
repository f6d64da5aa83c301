/// A first-time profile: the claims that a provider sends only at a user's first sign-in.
package struct FirstTimeProfile: Sendable, Hashable {
    package var key: Int64
    package var identity: IdentityKey
    package var givenName: String?
    package var familyName: String?
    /// The address in the verified ID token of that sign-in.
    package var email: String?
    package var isEmailVerified: Bool
    package var capturedAt: Timestamp

    package init(
        key: Int64, identity: IdentityKey, givenName: String?, familyName: String?, email: String?,
        isEmailVerified: Bool, capturedAt: Timestamp
    ) {
        self.key = key
        self.identity = identity
        self.givenName = givenName
        self.familyName = familyName
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.capturedAt = capturedAt
    }
}

/// The statements of `first_time_profiles`.
enum FirstTimeProfileStatements {
    // A later profile adds claims and removes none.
    static let keep = Statement(
        "keep_first_time_profile",
        """
        INSERT INTO first_time_profiles
            (key, provider, issuer, subject, given_name, family_name, email, email_verified, captured_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (provider, issuer, subject) DO UPDATE SET
            given_name = coalesce(excluded.given_name, first_time_profiles.given_name),
            family_name = coalesce(excluded.family_name, first_time_profiles.family_name),
            email_verified = CASE WHEN excluded.email IS NULL THEN first_time_profiles.email_verified
                ELSE excluded.email_verified END,
            email = coalesce(excluded.email, first_time_profiles.email),
            captured_at = excluded.captured_at
        """, .integer, .text, .text, .text, .text, .text, .text, .integer, .integer)

    static let byIdentity = Statement(
        "first_time_profile",
        """
        SELECT key, provider, issuer, subject, given_name, family_name, email, email_verified, captured_at
        FROM first_time_profiles WHERE provider = $1 AND issuer = $2 AND subject = $3
        """, .text, .text, .text)

    static let removeOfUser = Statement(
        "remove_first_time_profiles_of_user",
        """
        DELETE FROM first_time_profiles WHERE EXISTS (
            SELECT 1 FROM identities WHERE identities.user_key = $1
                AND identities.provider = first_time_profiles.provider
                AND identities.issuer = first_time_profiles.issuer
                AND identities.subject = first_time_profiles.subject)
        """, .integer)

    static let remove = Statement(
        "remove_first_time_profile",
        "DELETE FROM first_time_profiles WHERE provider = $1 AND issuer = $2 AND subject = $3 RETURNING key",
        .text, .text, .text)

    static let all = [keep, byIdentity, removeOfUser, remove]
}

extension Transaction {
    /// Stores a profile, merged with an earlier one.
    package func keep(_ profile: FirstTimeProfile) throws(StoreError) {
        try run(
            FirstTimeProfileStatements.keep, .integer(profile.key), .text(profile.identity.provider),
            .text(profile.identity.issuer), .text(profile.identity.subject), .text(orNull: profile.givenName),
            .text(orNull: profile.familyName), .text(orNull: profile.email), .flag(profile.isEmailVerified),
            .time(profile.capturedAt))
    }

    /// The stored profile of this subject, if any.
    package func firstTimeProfile(_ key: IdentityKey) throws(StoreError) -> FirstTimeProfile? {
        let rows = try run(
            FirstTimeProfileStatements.byIdentity, .text(key.provider), .text(key.issuer), .text(key.subject))
        guard var row = rows.first else { return nil }
        return FirstTimeProfile(
            key: try row.integer(),
            identity: IdentityKey(provider: try row.text(), issuer: try row.text(), subject: try row.text()),
            givenName: try row.optionalText(), familyName: try row.optionalText(), email: try row.optionalText(),
            isEmailVerified: try row.flag(), capturedAt: try row.time())
    }

    /// Removes the profile of a subject whose next sign-in is a first one again.
    package func removeFirstTimeProfile(_ key: IdentityKey) throws(StoreError) {
        try run(FirstTimeProfileStatements.remove, .text(key.provider), .text(key.issuer), .text(key.subject))
    }

    /// Removes the profiles of a user's identities, before the identities are removed.
    package func removeFirstTimeProfiles(of userKey: Int64) throws(StoreError) {
        try run(FirstTimeProfileStatements.removeOfUser, .integer(userKey))
    }
}
