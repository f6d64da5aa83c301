extension Transaction {
    /// Stores a profile, merged with an earlier one.
    package func keep(_ profile: FirstTimeProfile) throws(StoreError) {
        // A later profile adds claims and removes none.
        try run(
            "keep_first_time_profile",
            """
            INSERT INTO first_time_profiles (\(FirstTimeProfile.columnNames)) VALUES (\(FirstTimeProfile.parameters))
            ON CONFLICT (provider, issuer, subject) DO UPDATE SET
                given_name = coalesce(excluded.given_name, first_time_profiles.given_name),
                family_name = coalesce(excluded.family_name, first_time_profiles.family_name),
                email_verified = CASE WHEN excluded.email IS NULL THEN first_time_profiles.email_verified
                    ELSE excluded.email_verified END,
                email = coalesce(excluded.email, first_time_profiles.email),
                captured_at = excluded.captured_at
            """, .integer(profile.key), .text(profile.identity.provider), .text(profile.identity.issuer),
            .text(profile.identity.subject), .text(orNull: profile.givenName), .text(orNull: profile.familyName),
            .text(orNull: profile.email), .flag(profile.isEmailVerified), .time(profile.capturedAt))
    }

    /// The stored profile of this subject, if any.
    package func firstTimeProfile(_ key: IdentityKey) throws(StoreError) -> FirstTimeProfile? {
        try first(
            "first_time_profile",
            """
            SELECT \(FirstTimeProfile.columns)
            FROM first_time_profiles WHERE provider = $1 AND issuer = $2 AND subject = $3
            """, .text(key.provider), .text(key.issuer), .text(key.subject))
    }

    /// Removes the profile of a subject whose next sign-in is a first one again.
    package func removeFirstTimeProfile(_ key: IdentityKey) throws(StoreError) {
        try run(
            "remove_first_time_profile",
            "DELETE FROM first_time_profiles WHERE provider = $1 AND issuer = $2 AND subject = $3",
            .text(key.provider), .text(key.issuer), .text(key.subject))
    }

    /// Removes the profiles of a user's identities, before the identities are removed.
    package func removeFirstTimeProfiles(of userKey: Int64) throws(StoreError) {
        try run(
            "remove_first_time_profiles_of_user",
            """
            DELETE FROM first_time_profiles WHERE EXISTS (
                SELECT 1 FROM identities WHERE identities.user_key = $1
                    AND identities.provider = first_time_profiles.provider
                    AND identities.issuer = first_time_profiles.issuer
                    AND identities.subject = first_time_profiles.subject)
            """, .integer(userKey))
    }
}
