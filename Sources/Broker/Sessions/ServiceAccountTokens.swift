import JOSE

/// The access tokens of service accounts:
/// `sat1_<key id>.<account id>.<id of the account's key>.<expiry>[.<scopes, base64url>].<HMAC-SHA256>`.
///
/// They are not stored. Each use looks up account and key, so that a revocation takes effect at once.
struct ServiceAccountTokens: Sendable {
    private let text: SignedText

    struct Token: Sendable, Hashable {
        let accountID: String
        let keyID: String
        /// Seconds since 1970.
        let expiresAt: Int64
        /// The rights that the token is limited to; nil for all of the account's.
        let scopes: Set<AdminScope>?
    }

    init(_ masterKey: MasterKey) {
        text = SignedText("sat1_", masterKey, .serviceAccountTokens, maximumLength: 1024)
    }

    func encode(_ token: Token) -> String {
        let scopes = token.scopes.map { [Base64URL.encode(AdminScope.list($0).utf8)] } ?? []
        return text.sign { [$0, token.accountID, token.keyID, String(token.expiresAt)] + scopes }
    }

    /// - Returns: nil for anything that this broker did not write.
    func decode(_ token: String) -> Token? {
        guard let parts = text.parts(of: token),
            parts.count == 4 || parts.count == 5, let expiresAt = Int64(parts[3])
        else { return nil }
        var scopes: Set<AdminScope>?
        if parts.count == 5 {
            guard let list = Base64URL.decode(parts[4].utf8) else { return nil }
            scopes = AdminScope.set(String(decoding: list, as: UTF8.self))
        }
        return Token(
            accountID: parts[1], keyID: parts[2], expiresAt: expiresAt, scopes: scopes)
    }
}
