import ProviderKit

/// The keys of `options.claims` for the profile.
struct ProfilePointers: Sendable {
    var email: ClaimPointers?
    var emailVerified: ClaimPointers?
    var displayName: ClaimPointers?
    var givenName: ClaimPointers?
    var familyName: ClaimPointers?
    var pictureUrl: ClaimPointers?
    var screenName: ClaimPointers?

    /// The keys, each a JSON Pointer or several in order of preference.
    static let keys: [DeclaredKey<ProfilePointers>] = [
        .key("email", \.email, "the address"),
        .key(
            "emailVerified", \.emailVerified,
            """
            the verification of the address: `true`, with `textBooleans` also `"true"`; of several, all have to be \
            true
            """),
        .key("displayName", \.displayName, "the full name"),
        .key("givenName", \.givenName, "the given name"),
        .key("familyName", \.familyName, "the family name"),
        .key("pictureUrl", \.pictureUrl, "the URL of the picture"),
        .key("screenName", \.screenName, "the user name at the provider, for display only"),
    ]

    /// These pointers, else those of `defaults`.
    ///
    /// A mapped address does not use the default verification, which belongs to another claim.
    func claims(over defaults: ProfileClaims = ProfileClaims()) -> ProfileClaims {
        ProfileClaims(
            email: email ?? defaults.email,
            emailVerified: emailVerified ?? (email == nil ? defaults.emailVerified : nil),
            displayName: displayName ?? defaults.displayName, givenName: givenName ?? defaults.givenName,
            familyName: familyName ?? defaults.familyName, pictureURL: pictureUrl ?? defaults.pictureURL,
            screenName: screenName ?? defaults.screenName)
    }
}

extension OpenIDProvider {
    /// `options.claims`: where they are not the standard ones.
    struct Claims: DeclaredOptions {
        var subject: ClaimPointers?
        var profile = ProfilePointers()

        static let declaration = DeclaredObject<Claims>(
            "JSON Pointers (RFC 6901) into the claims of userinfo and ID token.",
            [subjectKey] + ProfilePointers.keys.map { $0.of(\.profile) })

        private static let subjectKey: DeclaredKey<Claims> = .key(
            "subject", \.subject, "always `/sub`; allowed as documentation"
        ).narrowed(by: ["const": "/sub"])
    }
}

extension OAuth2Provider {
    /// `options.claims`; only the subject is required.
    struct Claims: DeclaredOptions {
        var subject = ClaimPointers([])
        var profile = ProfilePointers()

        static let declaration = DeclaredObject<Claims>(
            "JSON Pointers (RFC 6901) into the response of `userinfoUrl`.",
            [subjectKey] + ProfilePointers.keys.map { $0.of(\.profile) })

        private static let subjectKey: DeclaredKey<Claims> = .key(
            "subject", \.subject,
            """
            the user's stable ID, a string or an integer: a pointer to a name or an address, which are reassigned, is \
            refused
            """
        ).required()
    }
}
