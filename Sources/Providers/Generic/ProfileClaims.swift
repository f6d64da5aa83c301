import ProviderKit

/// The places of a profile's claims in a provider's responses.
struct ProfileClaims: Sendable {
    var email: ClaimPointers?
    var emailVerified: ClaimPointers?
    var displayName: ClaimPointers?
    var givenName: ClaimPointers?
    var familyName: ClaimPointers?
    var pictureURL: ClaimPointers?
    var screenName: ClaimPointers?
    /// Whether the string `"true"` is true: `options.textBooleans`.
    var acceptsTextBooleans = false
    /// Whether an address is taken as verified that the provider does not call verified.
    var trustsUnverified = false

    /// The standard claims (OpenID Connect Core §5.1).
    static let standard = ProfileClaims(
        email: .init(member: "email"), emailVerified: .init(member: "email_verified"),
        displayName: .init(member: "name"), givenName: .init(member: "given_name"),
        familyName: .init(member: "family_name"), pictureURL: .init(member: "picture"),
        screenName: .init(member: "preferred_username"))

    /// The identity of `subject` from `documents`, of which earlier ones have precedence.
    func identity(
        _ subject: String, in documents: [JSONValue], profile: JSONValue, grant: UpstreamGrant?
    ) -> ExternalIdentity {
        func text(_ claim: ClaimPointers?) -> String? {
            documents.lazy.compactMap { claim?.text(in: $0) }.first
        }
        return ExternalIdentity(
            subject: subject, email: email(in: documents), displayName: text(displayName),
            givenName: text(givenName), familyName: text(familyName), screenName: text(screenName),
            pictureURL: text(pictureURL), profile: profile, grant: grant)
    }

    /// The address with its verification from the same document, which asserts nothing about other addresses.
    private func email(in documents: [JSONValue]) -> ExternalIdentity.Email? {
        guard let claim = email, let address = documents.lazy.compactMap({ claim.text(in: $0) }).first else {
            return nil
        }
        let verifications = documents.filter { claim.text(in: $0)?.utf8.elementsEqual(address.utf8) ?? false }
            .compactMap { emailVerified?.isTrue(in: $0, acceptsText: acceptsTextBooleans) }
        let isVerified = !verifications.isEmpty && verifications.allSatisfy(\.self)
        return .init(address, isVerified: isVerified || trustsUnverified)
    }
}
