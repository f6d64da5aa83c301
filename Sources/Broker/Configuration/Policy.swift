/// The policy of sign-in and linking: the preset `strict`, or `firebase`, which does what Firebase documents. Each setting
/// can be overridden.
package struct Policy: Sendable, Hashable {
    package enum Preset: String, Sendable, Hashable, CaseIterable, Decodable {
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
    package enum MergeApproval: String, Sendable, Hashable, CaseIterable, Decodable {
        /// At once, in the sign-in or the event that reports it.
        case automatic
        /// By an administrator.
        case administrator
    }

    /// The treatment of an identity whose user withdrew consent at the provider.
    package enum RevokedConsent: String, Sendable, Hashable, CaseIterable, Decodable {
        /// It stays linked: the next sign-in with it is the same user.
        case mark
        /// It is unlinked, unless the user could not sign in any more.
        case unlink
    }

    /// The refresh token that a refresh answers with.
    package enum RefreshTokens: String, Sendable, Hashable, CaseIterable, Decodable {
        /// The same refresh token, until its session is revoked. It does not expire by age, as Firebase's do not.
        case stable
        /// A new refresh token each time (RFC 9700 §4.14.2). Sessions expire by age.
        case rotating
    }

    /// The receiver of the tokens that a provider has issued to the broker. A token that the app itself sent is always
    /// answered, since SDKs read it back.
    package enum ProviderTokenAudience: String, Sendable, Hashable, CaseIterable, Decodable {
        /// The app, in the answer to its sign-in.
        case client
        /// Backends with an admin token only.
        case server
    }

    /// The rule for the deletion of a user whose grant cannot be revoked.
    package enum DeletionWithoutGrant: String, Sendable, Hashable, CaseIterable, Decodable {
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

/// `"strict"`, `"firebase"`, or an object that names a preset and overrides single settings.
extension Policy: Decodable {
    private enum CodingKeys: String, CodingKey {
        case preset, tokens, emailCollision, autoLinkProfile, linkEmail, emailChange, lastSignInMethod, recentLogin
        case emailEnumeration, refreshTokens, providerTokens, deletionWithoutGrant, stepUp, revokedConsent
        case anonymousMerges
    }

    package init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            guard let preset = Preset(rawValue: name) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: #"expected "strict" or "firebase""#))
            }
            self.init(preset)
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func setting(_ key: CodingKeys) throws -> Preset? { try container.decodeIfPresent(Preset.self, forKey: key) }
        self.init(try setting(.preset) ?? .strict)
        tokens = try setting(.tokens) ?? tokens
        emailCollision = try setting(.emailCollision) ?? emailCollision
        autoLinkProfile = try setting(.autoLinkProfile) ?? autoLinkProfile
        linkEmail = try setting(.linkEmail) ?? linkEmail
        emailChange = try setting(.emailChange) ?? emailChange
        lastSignInMethod = try setting(.lastSignInMethod) ?? lastSignInMethod
        recentLogin = try setting(.recentLogin) ?? recentLogin
        emailEnumeration = try setting(.emailEnumeration) ?? emailEnumeration
        refreshTokens = try container.decodeIfPresent(RefreshTokens.self, forKey: .refreshTokens) ?? refreshTokens
        providerTokens =
            try container.decodeIfPresent(ProviderTokenAudience.self, forKey: .providerTokens) ?? providerTokens
        revokedConsent = try container.decodeIfPresent(RevokedConsent.self, forKey: .revokedConsent) ?? .mark
        anonymousMerges =
            try container.decodeIfPresent(MergeApproval.self, forKey: .anonymousMerges) ?? anonymousMerges
        deletionWithoutGrant =
            try container.decodeIfPresent(DeletionWithoutGrant.self, forKey: .deletionWithoutGrant)
            ?? deletionWithoutGrant
        stepUp = try container.decodeIfPresent([StepUpRule].self, forKey: .stepUp) ?? []
    }
}
