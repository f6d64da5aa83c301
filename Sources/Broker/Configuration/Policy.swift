package import ProviderKit

/// The policy of sign-in and linking: the preset `strict`, or `firebase`, which does what Firebase documents. Each setting
/// can be overridden.
package struct Policy: Sendable, Hashable {
    package enum Preset: String, Sendable, Hashable, CaseIterable {
        case strict, firebase
    }

    /// The issuer and the algorithm of Identity Toolkit tokens.
    package var tokens: Preset
    /// The result of a new identity whose address another user holds.
    package var emailCollision: Preset
    /// Whether an auto-link keeps the names and the picture that the new provider does not send (strict), or clears them.
    package var autoLinkProfile: Preset
    /// Whether a link compares addresses with verified holders only.
    package var linkEmail: Preset
    /// Whether clients may change their address, which nothing here can verify.
    package var emailChange: Preset
    /// Whether a user may give up the last way to sign in.
    package var lastSignInMethod: Preset
    /// The operations that require a recent login.
    package var recentLogin: Preset
    /// Whether `createAuthUri` answers which providers an address signs in with.
    package var emailEnumeration: Preset
    /// The result of a user's deletion where a provider needs a token to revoke the user's grant and none is stored.
    package var deletionWithoutGrant = DeletionWithoutGrant.warn
    /// The renewal of Identity Toolkit refresh tokens.
    package var refreshTokens: RefreshTokens

    /// Whether apps get the provider tokens that the broker has exchanged. An API key may say otherwise for its app.
    package var providerTokens: ProviderTokenAudience

    /// The logins that scopes and routes require; none by default.
    package var stepUp: [StepUpRule] = []

    /// The result of consent that a user withdraws at the provider.
    package var revokedConsent: RevokedConsent

    /// Whether a proven merge of a user of an anonymous account waits for an administrator.
    package var anonymousMerges = MergeApproval.automatic

    /// The way a merge that a provider has proven is decided.
    package enum MergeApproval: String, Sendable, Hashable, CaseIterable {
        /// At once, in the sign-in or the event that reports it.
        case automatic
        /// By an administrator.
        case administrator
    }

    /// The treatment of an identity whose user withdrew consent at the provider.
    package enum RevokedConsent: String, Sendable, Hashable, CaseIterable {
        /// It stays linked: the next sign-in with it is the same user.
        case mark
        /// It is unlinked, unless the user could not sign in any more.
        case unlink
    }

    /// The refresh token that a refresh answers with.
    package enum RefreshTokens: String, Sendable, Hashable, CaseIterable {
        /// The same refresh token, until its session is revoked. It does not expire by age, as Firebase's do not.
        case stable
        /// A new refresh token each time (RFC 9700 §4.14.2). Sessions expire by age.
        case rotating
    }

    /// The receiver of the tokens that a provider has issued to the broker. A token that the app itself sent is always
    /// answered, since SDKs read it back.
    package enum ProviderTokenAudience: String, Sendable, Hashable, CaseIterable {
        /// The app, in the answer to its sign-in.
        case client
        /// Backends with an admin token only.
        case server
    }

    /// The rule for the deletion of a user whose grant cannot be revoked.
    package enum DeletionWithoutGrant: String, Sendable, Hashable, CaseIterable {
        /// It deletes the user, and the answer names the provider as `nothingStored`.
        case warn
        /// It refuses the user's own deletion until the app brings an authorization code of the provider.
        case refuse
    }

    /// Every setting as one preset has it.
    package init(_ preset: Preset) {
        tokens = preset
        emailCollision = preset
        autoLinkProfile = preset
        linkEmail = preset
        emailChange = preset
        lastSignInMethod = preset
        recentLogin = preset
        emailEnumeration = preset
        refreshTokens = preset == .firebase ? .stable : .rotating
        providerTokens = preset == .firebase ? .client : .server
        revokedConsent = .mark
    }

    package static let strict = Policy(.strict)
    package static let firebase = Policy(.firebase)

    /// An operation on the account that a recent login may be required for.
    enum SensitiveOperation: Sendable, CaseIterable {
        case delete, link, unlink, emailChange
    }

    /// Whether an operation requires a recent login.
    func wantsRecentLogin(_ operation: SensitiveOperation) -> Bool {
        switch (recentLogin, operation) {
        case (_, .delete), (.strict, .link), (.strict, .unlink), (.firebase, .emailChange): true
        case (.strict, .emailChange), (.firebase, .link), (.firebase, .unlink): false
        }
    }
}

extension Policy {
    /// `policy` of `broker.json`. The preset comes first: what follows changes single settings of it.
    static let keys = DeclaredObject<Policy>([
        .choice(
            "preset", Preset.self, initially: .strict,
            "the preset that the other settings change; its name alone may stand in the place of `policy`"
        ) { $0 = Policy($1) }.forSection().example("firebase"),
        setting("tokens", \.tokens, "the issuer and the algorithm of Identity Toolkit tokens"),
        setting("emailCollision", \.emailCollision, "the result of a new identity whose address another user holds"),
        setting(
            "autoLinkProfile", \.autoLinkProfile,
            "whether an auto-link keeps the profile that the new provider does not send"),
        setting("linkEmail", \.linkEmail, "whether a link compares addresses with verified holders only"),
        setting(
            "emailChange", \.emailChange, "whether clients may change their address, which nothing here can verify"),
        setting("lastSignInMethod", \.lastSignInMethod, "whether a user may give up the last way to sign in"),
        setting("recentLogin", \.recentLogin, "the operations that require a recent login"),
        setting(
            "emailEnumeration", \.emailEnumeration,
            "whether `createAuthUri` answers which providers an address signs in with"),
        .choice(
            "refreshTokens", RefreshTokens.self,
            "whether each refresh answers a new refresh token (RFC 9700 §4.14.2) or the same one"
        ) { $0.refreshTokens = $1 }.initially(inWords: "`rotating`; `stable` with `firebase`") {
            .string($0.refreshTokens.rawValue)
        },
        .choice(
            "providerTokens", ProviderTokenAudience.self,
            "who gets the provider tokens that the broker has exchanged: the app, or backends with an admin token only"
        ) { $0.providerTokens = $1 }.initially(inWords: "`server`; `client` with `firebase`") {
            .string($0.providerTokens.rawValue)
        },
        .choice(
            "deletionWithoutGrant", DeletionWithoutGrant.self, initially: Policy.strict.deletionWithoutGrant,
            "the result of a deletion where a provider needs a token to revoke the grant and none is stored "
                + "([Apple](Apple.md#account-deletion))"
        ) { $0.deletionWithoutGrant = $1 },
        .choice(
            "revokedConsent", RevokedConsent.self, initially: Policy.strict.revokedConsent,
            "whether an identity whose user [withdrew consent](AccountPolicy.md#consent-that-a-user-withdraws) stays linked"
        ) { $0.revokedConsent = $1 },
        .choice(
            "anonymousMerges", MergeApproval.self, initially: Policy.strict.anonymousMerges,
            "whether a proven merge of a user of an anonymous account waits for an administrator"
        ) { $0.anonymousMerges = $1 },
        .list(
            "stepUp", of: StepUpRule.keys, initially: StepUpRule(acr: ""),
            "the [logins that scopes and routes require](AddSignIn.md#requiring-a-newer-or-stronger-login)"
        ) { $0.stepUp = $1 }.example([["acr": "fresh", "maxAge": 300, "scopes": ["payments"]]]),
    ])

    /// - Parameters:
    ///   - value: The value of `policy`.
    ///   - source: What it stands in, for errors.
    /// - Throws: ``ConfigurationError``.
    package init(reading value: JSONValue, in source: String = "policy") throws(ConfigurationError) {
        self = .strict
        let place = ValuePlace(source: source, pointer: "", resolve: { $0 }, secrets: .textOnly)
        try Self.keys.readFile(value.string.map { ["preset": .string($0)] } ?? value, into: &self, at: place)
    }

    private static func setting(
        _ name: String, _ member: any WritableKeyPath<Policy, Preset> & Sendable, _ text: String
    ) -> DeclaredKey<Policy> {
        .choice(name, Preset.self, text) { $0[keyPath: member] = $1 }
            .initially(inWords: "the preset's") { .string($0[keyPath: member].rawValue) }
    }
}
