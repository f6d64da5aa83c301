// Generated from `first_time_profiles` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A first-time profile: the claims that a provider sends only at a user's first sign-in.
package struct FirstTimeProfile: Record {
    /// Private, time-ordered.
    package var key: Int64
    package var identity: IdentityKey
    package var givenName: String?
    package var familyName: String?
    /// The address in the verified ID token of that sign-in.
    package var email: String?
    package var isEmailVerified: Bool
    package var capturedAt: Timestamp

    package init(
        key: Int64, identity: IdentityKey, givenName: String? = nil, familyName: String? = nil, email: String? = nil,
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

extension FirstTimeProfile {
    package static let table = TableDefinition.firstTimeProfiles
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        identity = try IdentityKey(reading: &row)
        givenName = try row.optionalText()
        familyName = try row.optionalText()
        email = try row.optionalText()
        isEmailVerified = try row.flag()
        capturedAt = try row.time()
    }

    package var values: [SQLValue] {
        [.integer(key)]
            + identity.values
            + [
                .text(orNull: givenName), .text(orNull: familyName), .text(orNull: email), .flag(isEmailVerified),
                .time(capturedAt),
            ]
    }
}
