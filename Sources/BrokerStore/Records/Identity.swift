// Generated from `identities` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// An account at a provider that is linked to a user.
package struct Identity: Record {
    /// Private, time-ordered; what foreign keys use.
    package var key: Int64
    package var userKey: Int64
    /// Unique in the store.
    package var identity: IdentityKey
    /// The provider's profile of the last sign-in, this and the next four; it never identifies a user.
    package var email: String?
    package var isEmailVerified: Bool
    package var displayName: String?
    package var photoURL: String?
    package var screenName: String?
    /// The provider's raw profile, JSON as text.
    package var profile: String
    package var linkedAt: Timestamp
    package var lastSignInAt: Timestamp
    /// Whether the account is anonymous: the provider knows only a device.
    package var isAnonymous: Bool
    /// Whether the provider has said that the account began anonymous.
    package var wasAnonymous: Bool
    /// Whether the provider stopped forwarding mail to the relay address. Stored by reports of the provider only.
    package var isMailDisabled: Bool
    /// The time at which the user withdrew consent at the provider; nil since the next sign-in.
    package var consentRevokedAt: Timestamp?
    /// The time from which on housekeeping removes the identity, whose account was deleted; nil since the next sign-in.
    package var removalAt: Timestamp?
    /// The time at which an import brought it; nil where the provider itself reported it first.
    package var importedAt: Timestamp?

    package init(
        key: Int64, userKey: Int64, identity: IdentityKey, email: String? = nil, isEmailVerified: Bool = false,
        displayName: String? = nil, photoURL: String? = nil, screenName: String? = nil, profile: String,
        linkedAt: Timestamp, lastSignInAt: Timestamp, isAnonymous: Bool = false, wasAnonymous: Bool = false,
        isMailDisabled: Bool = false, consentRevokedAt: Timestamp? = nil, removalAt: Timestamp? = nil,
        importedAt: Timestamp? = nil
    ) {
        self.key = key
        self.userKey = userKey
        self.identity = identity
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.displayName = displayName
        self.photoURL = photoURL
        self.screenName = screenName
        self.profile = profile
        self.linkedAt = linkedAt
        self.lastSignInAt = lastSignInAt
        self.isAnonymous = isAnonymous
        self.wasAnonymous = wasAnonymous
        self.isMailDisabled = isMailDisabled
        self.consentRevokedAt = consentRevokedAt
        self.removalAt = removalAt
        self.importedAt = importedAt
    }
}

extension Identity {
    package static let table = TableDefinition.identities
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        userKey = try row.integer()
        identity = try IdentityKey(reading: &row)
        email = try row.optionalText()
        isEmailVerified = try row.flag()
        displayName = try row.optionalText()
        photoURL = try row.optionalText()
        screenName = try row.optionalText()
        profile = try row.text()
        linkedAt = try row.time()
        lastSignInAt = try row.time()
        isAnonymous = try row.flag()
        wasAnonymous = try row.flag()
        isMailDisabled = try row.flag()
        consentRevokedAt = try row.optionalTime()
        removalAt = try row.optionalTime()
        importedAt = try row.optionalTime()
    }

    package var values: [SQLValue] {
        [.integer(key), .integer(userKey)]
            + identity.values
            + [
                .text(orNull: email), .flag(isEmailVerified), .text(orNull: displayName), .text(orNull: photoURL),
                .text(orNull: screenName), .text(profile), .time(linkedAt), .time(lastSignInAt), .flag(isAnonymous),
                .flag(wasAnonymous), .flag(isMailDisabled), .time(orNull: consentRevokedAt), .time(orNull: removalAt),
                .time(orNull: importedAt),
            ]
    }
}
