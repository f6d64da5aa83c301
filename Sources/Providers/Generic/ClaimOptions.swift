import ProviderKit

/// The keys of `options.claims` for the profile: the place of each claim, and what verifies the address.
struct ProfilePointers<Claim: DeclaredValue, Verification: DeclaredValue>: Sendable {
    var email: Claim?
    var emailVerified: Verification?
    var displayName: Claim?
    var givenName: Claim?
    var familyName: Claim?
    var pictureUrl: Claim?
    var screenName: Claim?

    /// The keys.
    ///
    /// - Parameter verification: What is said about the verification beside that values are true.
    /// - Returns: The keys, for the object that has them.
    static func keys(verification: String = "") -> [DeclaredKey<ProfilePointers>] {
        [
            .key("email", \.email, "the address"),
            .key(
                "emailVerified", \.emailVerified,
                """
                the verification of the address: `true`, with `textBooleans` also `"true"`; of several, all have to be \
                true
                """ + verification),
            .key("displayName", \.displayName, "the full name"),
            .key("givenName", \.givenName, "the given name"),
            .key("familyName", \.familyName, "the family name"),
            .key("pictureUrl", \.pictureUrl, "the URL of the picture"),
            .key("screenName", \.screenName, "the user name at the provider, for display only"),
        ]
    }
}

extension ProfilePointers<ClaimPointers, ClaimPointers> {
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
        var profile = ProfilePointers<ClaimPointers, ClaimPointers>()

        static let declaration = DeclaredObject<Claims>(
            "JSON Pointers (RFC 6901) into the claims of userinfo and ID token.",
            [subjectKey] + ProfilePointers.keys().map { $0.of(\.profile) })

        private static let subjectKey: DeclaredKey<Claims> = .key(
            "subject", \.subject, "always `/sub`; allowed as documentation"
        ).narrowed(by: ["const": "/sub"])
    }
}

extension OAuth2Provider {
    /// `options.claims`; only the subject is required.
    struct Claims: DeclaredOptions {
        var subject = SubjectRule()
        var profile = ProfilePointers<ClaimSources, ClaimTest>()

        static let declaration = DeclaredObject<Claims>(
            """
            JSON Pointers (RFC 6901) into the response of `userinfoUrl`, without one into the response of `tokenUrl`; or \
            `{"in": "token", "pointer": "/id"}`.
            """,
            [subjectKey] + ProfilePointers.keys(verification: verification).map { $0.of(\.profile) })

        private static let subjectKey: DeclaredKey<Claims> = .key(
            "subject", \.subject,
            """
            the user's stable ID, a string or an integer: a pointer to a name or an address, which are reassigned, is \
            refused; `{"join": ["/team/id", "/user/id"]}` joins several
            """
        ).required()

        private static let verification = """
            ; or `{"pointer": "/status", "equals": "active"}`; or a constant, where the provider documents that all \
            addresses are verified
            """

        /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` for an address that only the browser
        ///   brings, and for a place that the entry does not have.
        func check(hasUserinfo: Bool) throws(ProviderError) {
            func refuse(_ reason: String) -> ProviderError {
                ProviderError(.configuration, at: .configure, "options.claims." + reason)
            }
            let address = (profile.email?.sources ?? []) + (profile.emailVerified?.sources ?? [])
            guard !address.contains(where: { $0.place == .callback }) else {
                throw refuse(
                    "email and emailVerified must not be in the callback: the browser brings its values, and nothing "
                        + "proves them")
            }
            let names = [
                profile.displayName, profile.givenName, profile.familyName, profile.pictureUrl, profile.screenName,
            ]
            let sources = subject.sources + address + names.flatMap { $0?.sources ?? [] }
            guard hasUserinfo || !sources.contains(where: { $0.place == .userinfo }) else {
                throw refuse("… is in userinfo, and the entry has no userinfoUrl")
            }
        }
    }
}
