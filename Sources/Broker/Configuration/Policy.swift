/// How the broker decides where operators may differ: `strict`, or what Firebase documents. Each setting can be
/// overridden alone (Docs/Architecture.md).
package struct Policy: Sendable, Hashable {
    package enum Preset: String, Sendable, Hashable, CaseIterable, Decodable {
        case strict, firebase
    }

    /// Which issuer and algorithm Identity Toolkit tokens carry.
    package var tokens: Preset
    /// What a new identity with an address somebody holds comes to.
    package var emailCollision: Preset
    /// Whether an auto-link keeps the names and the picture that the new provider does not send (strict), or clears them.
    package var autoLinkProfile: Preset
    /// Whether a link compares addresses with verified holders only.
    package var linkEmail: Preset
    /// Whether clients may change their address, which nothing here can verify.
    package var emailChange: Preset
    /// Whether a user may give up the last way to sign in.
    package var lastSignInMethod: Preset
    /// Which operations want a recent login.
    package var recentLogin: Preset
    /// Whether anybody may ask which providers an address signs in with.
    package var emailEnumeration: Preset
    /// How refresh tokens of Identity Toolkit are renewed.
    package var refreshTokens: RefreshTokens

    /// What a refresh answers with.
    package enum RefreshTokens: String, Sendable, Hashable, CaseIterable, Decodable {
        /// The same refresh token, until its session is revoked. It does not expire by age, as Firebase's do not.
        case stable
        /// A new refresh token each time (RFC 9700 §4.14.2). Sessions expire by age.
        case rotating
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
    }

    package static let strict = Policy(.strict)
    package static let firebase = Policy(.firebase)

    /// What an account thief would do first.
    enum SensitiveOperation: Sendable, CaseIterable {
        case delete, link, unlink, emailChange
    }

    /// Whether an operation wants a recent login.
    func wantsRecentLogin(_ operation: SensitiveOperation) -> Bool {
        switch (recentLogin, operation) {
        case (_, .delete), (.strict, .link), (.strict, .unlink), (.firebase, .emailChange): true
        case (.strict, .emailChange), (.firebase, .link), (.firebase, .unlink): false
        }
    }
}
