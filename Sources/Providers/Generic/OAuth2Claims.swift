import ProviderKit

/// The places of a profile's claims at an OAuth 2 provider.
struct OAuth2Claims: Sendable {
    let pointers: ProfilePointers<ClaimSources, ClaimTest>
    /// Whether the string `"true"` is true: `options.textBooleans`.
    let acceptsText: Bool
    /// Whether an address is taken as verified that the provider does not call verified.
    let trustsUnverified: Bool

    /// The identity of `subject`.
    ///
    /// - Parameters:
    ///   - subject: The subject.
    ///   - documents: The documents of the sign-in.
    ///   - listed: The address of the list of addresses, which takes the place of the profile's.
    ///   - grant: The tokens.
    /// - Returns: The identity.
    func identity(
        _ subject: String, in documents: ClaimDocuments, listed: ExternalIdentity.Email?, grant: UpstreamGrant
    ) -> ExternalIdentity {
        func text(_ claim: ClaimSources?) -> String? { claim?.text(in: documents) }
        let email = listed ?? email(in: documents)
        return ExternalIdentity(
            subject: subject,
            email: email.map { .init($0.address, isVerified: $0.isVerified || trustsUnverified) },
            displayName: text(pointers.displayName), givenName: text(pointers.givenName),
            familyName: text(pointers.familyName), screenName: text(pointers.screenName),
            pictureURL: text(pointers.pictureUrl),
            profile: documents.profile.object == nil ? ["userinfo": documents.profile] : documents.profile, grant: grant
        )
    }

    private func email(in documents: ClaimDocuments) -> ExternalIdentity.Email? {
        guard let address = pointers.email?.text(in: documents) else { return nil }
        return .init(
            address, isVerified: pointers.emailVerified?.holds(in: documents, acceptsText: acceptsText) ?? false)
    }
}
