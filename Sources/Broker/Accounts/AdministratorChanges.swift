package import BrokerStore

/// The changes to a user that only administrators make. Those of ``AccountChanges`` come beside them.
package struct AdministratorChanges: Sendable {
    /// A provider entry that an administrator gives to a user, as the transport validated it.
    package struct Link: Sendable {
        /// The id of the entry, lower-case.
        package let provider: String
        package let subject: String
        package var email: String?
        package var displayName: String?
        package var photoURL: String?
        package var screenName: String?

        package init(provider: String, subject: String) {
            self.provider = provider
            self.subject = subject
        }
    }

    /// Whether the address counts as verified, on the administrator's word.
    package var isEmailVerified: Bool?
    package var isDisabled: Bool?
    /// The fields that administrators set as they are, such as `customAttributes`: a JSON object as text, as it was sent.
    package var fields: [UserField: SQLValue] = [:]
    /// Whole seconds since 1970, for the user's record. Everything that was issued before the change is revoked.
    package var validSince: Int64?
    package var link: Link?

    /// The name of the field with the custom claims.
    static let claimsName = "customAttributes"

    package init() {}

    /// Replaces the custom claims by those of a JSON object as text.
    ///
    /// - Throws: ``BrokerError`` as ``CustomClaims/check(attributes:)``.
    init(claims text: String) throws(BrokerError) {
        try CustomClaims.check(attributes: text)
        for field in UserField.administered where field.name == Self.claimsName { fields[field] = .text(text) }
    }
}
