import BrokerStore
import OAuth

/// The pending token of a sign-in or a link that succeeded: it proves again, once, the identity that its session began
/// with. It carries no evidence, and the store has no row of it before its use.
struct BoundPendingToken: Sendable, Hashable {
    let binding: PendingToken.Binding
    /// The time of the user's authentication at the provider, in whole seconds since 1970.
    let authTime: Int64
    let expiresAt: Timestamp
}

/// Writes and reads bound pending tokens:
/// `pt1_<key id>.<user>.<epoch>.<session id>.<identity>.<auth_time>.<expiry>.<HMAC-SHA256 over those>`.
struct BoundPendingTokenCodec: Sendable {
    private let text: SignedText

    init(_ masterKey: MasterKey) {
        text = SignedText("pt1_", masterKey, .boundPendingTokens, maximumLength: 512)
    }

    func encode(_ token: BoundPendingToken) -> String {
        let binding = token.binding
        return text.sign { keyID in
            [
                keyID, String(binding.userKey), String(binding.epoch), binding.sessionID, String(binding.identityKey),
                String(token.authTime), String(token.expiresAt.milliseconds),
            ]
        }
    }

    /// - Returns: The token, and the hash of what was signed, since the signature may have several spellings; nil for
    ///   anything this broker did not write.
    func decode(_ token: String) -> (token: BoundPendingToken, hash: [UInt8])? {
        guard let body = text.body(of: token) else { return nil }
        let parts = body.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 7, let userKey = Int64(parts[1]), let epoch = Int64(parts[2]),
            let identityKey = Int64(parts[4]), let authTime = Int64(parts[5]), let expiry = Int64(parts[6])
        else { return nil }
        let binding = PendingToken.Binding(
            userKey: userKey, epoch: epoch, identityKey: identityKey, sessionID: String(parts[3]))
        let bound = BoundPendingToken(
            binding: binding, authTime: authTime, expiresAt: Timestamp(milliseconds: expiry))
        return (bound, RandomText.hash(of: body))
    }
}
