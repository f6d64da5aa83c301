/// A refresh token: `rt1_<key id>.<session id>.<generation>.<HMAC-SHA256 over those three>`.
///
/// The successor of a token is determined by it, so two tabs that refresh at once can be given the same one.
struct RefreshToken: Sendable, Hashable {
    let sessionID: String
    let generation: Int64
}

/// Writes and reads the refresh tokens of one family.
///
/// Those of OAuth clients begin with `ort1_` and have a key of their own, so neither family takes the other's.
struct RefreshTokenCodec: Sendable {
    private let text: SignedText

    /// For Identity Toolkit's tokens.
    init(_ masterKey: MasterKey) {
        self.init(prefix: "rt1_", masterKey, .refreshTokens)
    }

    private init(prefix: String, _ masterKey: MasterKey, _ purpose: MasterKey.Purpose) {
        text = SignedText(prefix, masterKey, purpose, maximumLength: 256)
    }

    /// For those of OAuth clients.
    static func oauth(_ masterKey: MasterKey) -> RefreshTokenCodec {
        RefreshTokenCodec(prefix: "ort1_", masterKey, .oauthRefreshTokens)
    }

    func encode(_ token: RefreshToken) -> String { text.sign { [$0, token.sessionID, String(token.generation)] } }

    /// - Returns: `nil` for anything this broker did not write; nothing else may follow from it.
    func decode(_ token: String) -> RefreshToken? {
        guard let parts = text.parts(of: token), parts.count == 3, let generation = Int64(parts[2]), generation >= 0
        else { return nil }
        return RefreshToken(sessionID: parts[1], generation: generation)
    }
}
