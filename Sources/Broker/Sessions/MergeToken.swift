import BrokerStore
import JOSE
import ProviderKit

/// A merge token: lets the client of a session go on as the user that the session's user was merged into, once. It names
/// the session, its generation, both users and its expiry; the session's row names the client.
struct MergeToken: Sendable, Hashable {
    let sessionID: String
    /// The session's generation, which the redemption increments: what makes the token single-use.
    let generation: Int64
    /// The local id by which the client knows the session's user.
    let absorbed: String
    /// The local id of the user the session has now.
    let survivor: String
    let expiresAt: Timestamp

    /// How long a token is valid. The client redeems it at once.
    static let lifetime = Duration.seconds(60)
}

/// Writes and reads merge tokens:
/// `mt1_<key id>.<session id>.<generation>.<absorbed user>.<survivor>.<expiry>.<HMAC-SHA256 over those>`, users in
/// base64url.
struct MergeTokenCodec: Sendable {
    private let text: SignedText

    init(_ masterKey: MasterKey) {
        text = SignedText("mt1_", masterKey, .mergeTokens, maximumLength: 1024)
    }

    func encode(_ token: MergeToken) -> String {
        text.sign { keyID in
            [
                keyID, token.sessionID, String(token.generation), Base64URL.encode(Array(token.absorbed.utf8)),
                Base64URL.encode(Array(token.survivor.utf8)), String(token.expiresAt.milliseconds),
            ]
        }
    }

    /// - Returns: `nil` for anything this broker did not write.
    func decode(_ token: String) -> MergeToken? {
        guard let parts = text.parts(of: token),
            parts.count == 6, let generation = Int64(parts[2]), let absorbed = Self.localID(parts[3]),
            let survivor = Self.localID(parts[4]), let expiry = Int64(parts[5])
        else { return nil }
        return MergeToken(
            sessionID: parts[1], generation: generation, absorbed: absorbed, survivor: survivor,
            expiresAt: Timestamp(milliseconds: expiry))
    }

    private static func localID(_ text: String) -> String? {
        Base64URL.decode(text).flatMap { String(utf8: $0) }
    }
}
