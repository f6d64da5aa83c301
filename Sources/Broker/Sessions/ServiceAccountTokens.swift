/// The access tokens of service accounts: `sat1_<key id>.<account id>.<id of the account's key>.<expiry>.<HMAC-SHA256>`.
///
/// They are not stored. Each use looks up account and key, so that a revocation takes effect at once.
struct ServiceAccountTokens: Sendable {
    private let text: SignedText

    struct Token: Sendable, Hashable {
        let accountID: String
        let keyID: String
        /// Seconds since 1970.
        let expiresAt: Int64
    }

    init(_ masterKey: MasterKey) {
        text = SignedText("sat1_", masterKey, .serviceAccountTokens, maximumLength: 256)
    }

    func encode(_ token: Token) -> String {
        text.sign { "\($0).\(token.accountID).\(token.keyID).\(token.expiresAt)" }
    }

    /// - Returns: nil for anything that this broker did not write.
    func decode(_ token: String) -> Token? {
        guard let parts = text.body(of: token)?.split(separator: ".", omittingEmptySubsequences: false),
            parts.count == 4, let expiresAt = Int64(parts[3])
        else { return nil }
        return Token(accountID: String(parts[1]), keyID: String(parts[2]), expiresAt: expiresAt)
    }
}
