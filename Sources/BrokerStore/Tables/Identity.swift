/// The key of an identity: unique in the store, set by the broker, compared byte by byte.
package struct IdentityKey: Sendable, Hashable {
    /// The id of the provider entry, `github.com`.
    package var provider: String
    /// The issuer or the instance that knows the subject.
    package var issuer: String
    /// The issuer's permanent subject of the user.
    package var subject: String

    package init(provider: String, issuer: String, subject: String) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
    }
}

extension IdentityKey {
    // Swift's String treats canonically equivalent texts as equal; to an issuer they are different subjects.
    package static func == (left: IdentityKey, right: IdentityKey) -> Bool {
        left.provider.utf8.elementsEqual(right.provider.utf8) && left.issuer.utf8.elementsEqual(right.issuer.utf8)
            && left.subject.utf8.elementsEqual(right.subject.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for text in [provider, issuer, subject] {
            for byte in text.utf8 { hasher.combine(byte) }
            hasher.combine(UInt8(0xff))
        }
    }
}

/// An account at a provider that is linked to a user.
package struct Identity: Sendable, Hashable {
    /// Private, time-ordered; what foreign keys use.
    package var key: Int64
    package var userKey: Int64
    package var identity: IdentityKey
    /// The provider's profile of the last sign-in; it never identifies a user.
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
    package var isMailDisabled = false
    /// The time at which the user withdrew consent at the provider; nil since the next sign-in.
    package var consentRevokedAt: Timestamp?
    /// The time from which on housekeeping removes the identity, whose account was deleted; nil since the next sign-in.
    package var removalAt: Timestamp?

    package init(
        key: Int64, userKey: Int64, identity: IdentityKey, email: String? = nil, isEmailVerified: Bool = false,
        displayName: String? = nil, photoURL: String? = nil, screenName: String? = nil, profile: String,
        linkedAt: Timestamp, lastSignInAt: Timestamp, isAnonymous: Bool = false,
        wasAnonymous: Bool = false
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
    }

    package var provider: String { identity.provider }
    package var issuer: String { identity.issuer }
    package var subject: String { identity.subject }
}

extension Identity {
    /// All columns, in the order in which `init(reading:)` has them; ``values`` has those of an insertion.
    static let columns = """
        key, user_key, provider, issuer, subject, email, email_verified, display_name, photo_url, screen_name, \
        profile, linked_at, last_sign_in_at, anonymous, was_anonymous, mail_disabled, consent_revoked_at, removal_at
        """

    init(reading row: inout Row) throws(StoreError) {
        try self.init(
            key: row.integer(), userKey: row.integer(),
            identity: IdentityKey(provider: row.text(), issuer: row.text(), subject: row.text()),
            email: row.optionalText(), isEmailVerified: row.flag(), displayName: row.optionalText(),
            photoURL: row.optionalText(), screenName: row.optionalText(), profile: row.text(),
            linkedAt: row.time(), lastSignInAt: row.time(), isAnonymous: row.flag(), wasAnonymous: row.flag())
        isMailDisabled = try row.flag()
        consentRevokedAt = try row.optionalTime()
        removalAt = try row.optionalTime()
    }

    var values: [SQLValue] {
        [
            .integer(key), .integer(userKey), .text(provider), .text(issuer), .text(subject), .text(orNull: email),
            .flag(isEmailVerified), .text(orNull: displayName), .text(orNull: photoURL), .text(orNull: screenName),
            .text(profile), .time(linkedAt), .time(lastSignInAt), .flag(isAnonymous),
            .flag(wasAnonymous),
        ]
    }
}
