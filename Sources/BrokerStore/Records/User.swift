// Generated from `users` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A user of the broker, possibly anonymous.
package struct User: Record {
    /// Private, time-ordered; what foreign keys use.
    package var key: Int64
    /// The public id: 28 characters [A-Za-z0-9] when the broker made it, at most 128.
    package var localID: String
    /// The address in the spelling of the user or the provider.
    package var email: String?
    /// As it is compared, unique among users. Present exactly when ``email`` is.
    package var emailCanonical: String?
    package var isEmailVerified: Bool
    /// The provider entry that verified the address, if any.
    package var emailAssertedBy: String?
    package var emailAssertedAt: Timestamp?
    package var displayName: String?
    package var photoURL: String?
    package var screenName: String?
    package var isDisabled: Bool
    /// A JSON object as text.
    package var customAttributes: String?
    /// Whether the user has signed in with a custom token.
    package var isCustomAuth: Bool
    package var initialEmail: String?
    package var createdAt: Timestamp
    package var lastLoginAt: Timestamp?
    /// The last time tokens were issued other than by refreshing a session, which only the session records.
    package var lastRefreshAt: Timestamp?
    /// Whole seconds since 1970: the equivalent of ``epoch`` on the wire.
    package var validSince: Int64?
    /// A counter whose increment invalidates everything issued before.
    package var epoch: Int64
    /// The time at which the user or an administrator set the name. No provider's name replaces it.
    package var displayNameEditedAt: Timestamp?
    /// The same of the picture.
    package var photoURLEditedAt: Timestamp?

    package init(
        key: Int64, localID: String, email: String? = nil, emailCanonical: String? = nil, isEmailVerified: Bool = false,
        emailAssertedBy: String? = nil, emailAssertedAt: Timestamp? = nil, displayName: String? = nil,
        photoURL: String? = nil, screenName: String? = nil, isDisabled: Bool = false, customAttributes: String? = nil,
        isCustomAuth: Bool = false, initialEmail: String? = nil, createdAt: Timestamp, lastLoginAt: Timestamp? = nil,
        lastRefreshAt: Timestamp? = nil, validSince: Int64? = nil, epoch: Int64 = 0,
        displayNameEditedAt: Timestamp? = nil, photoURLEditedAt: Timestamp? = nil
    ) {
        self.key = key
        self.localID = localID
        self.email = email
        self.emailCanonical = emailCanonical
        self.isEmailVerified = isEmailVerified
        self.emailAssertedBy = emailAssertedBy
        self.emailAssertedAt = emailAssertedAt
        self.displayName = displayName
        self.photoURL = photoURL
        self.screenName = screenName
        self.isDisabled = isDisabled
        self.customAttributes = customAttributes
        self.isCustomAuth = isCustomAuth
        self.initialEmail = initialEmail
        self.createdAt = createdAt
        self.lastLoginAt = lastLoginAt
        self.lastRefreshAt = lastRefreshAt
        self.validSince = validSince
        self.epoch = epoch
        self.displayNameEditedAt = displayNameEditedAt
        self.photoURLEditedAt = photoURLEditedAt
    }
}

extension User {
    package static let table = TableDefinition.users
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        localID = try row.text()
        email = try row.optionalText()
        emailCanonical = try row.optionalText()
        isEmailVerified = try row.flag()
        emailAssertedBy = try row.optionalText()
        emailAssertedAt = try row.optionalTime()
        displayName = try row.optionalText()
        photoURL = try row.optionalText()
        screenName = try row.optionalText()
        isDisabled = try row.flag()
        customAttributes = try row.optionalText()
        isCustomAuth = try row.flag()
        initialEmail = try row.optionalText()
        createdAt = try row.time()
        lastLoginAt = try row.optionalTime()
        lastRefreshAt = try row.optionalTime()
        validSince = try row.optionalInteger()
        epoch = try row.integer()
        displayNameEditedAt = try row.optionalTime()
        photoURLEditedAt = try row.optionalTime()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(localID), .text(orNull: email), .text(orNull: emailCanonical), .flag(isEmailVerified),
            .text(orNull: emailAssertedBy), .time(orNull: emailAssertedAt), .text(orNull: displayName),
            .text(orNull: photoURL), .text(orNull: screenName), .flag(isDisabled), .text(orNull: customAttributes),
            .flag(isCustomAuth), .text(orNull: initialEmail), .time(createdAt), .time(orNull: lastLoginAt),
            .time(orNull: lastRefreshAt), .integer(orNull: validSince), .integer(epoch),
            .time(orNull: displayNameEditedAt), .time(orNull: photoURLEditedAt),
        ]
    }
}
