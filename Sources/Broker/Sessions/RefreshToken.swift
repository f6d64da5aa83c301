import Crypto
import Foundation
import JOSE

/// A refresh token: `rt1_<key id>.<session id>.<generation>.<HMAC-SHA256 over those three>`.
///
/// The store holds nothing a thief could use, and the successor of a token is determined by it, so two tabs that
/// refresh at once can be given the same one.
struct RefreshToken: Sendable, Hashable {
    let sessionID: String
    let generation: Int64
}

/// Writes and reads refresh tokens with a key derived from the master key.
struct RefreshTokenCodec: Sendable {
    private let key: SymmetricKey
    private let keyID: String

    init(_ masterKey: MasterKey) {
        key = masterKey.derive(.refreshTokens)
        keyID = masterKey.identifier
    }

    func encode(_ token: RefreshToken) -> String {
        let signed = "rt1_\(keyID).\(token.sessionID).\(token.generation)"
        let mac = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)
        return "\(signed).\(Base64URL.encode(Array(mac)))"
    }

    /// - Returns: `nil` for anything this broker did not write; nothing else may follow from it.
    func decode(_ text: String) -> RefreshToken? {
        guard text.utf8.count <= 256, text.utf8.starts(with: Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let mac = Base64URL.decode(parts[3].utf8) else { return nil }
        let signed = Data(text.utf8.dropLast(parts[3].utf8.count + 1))
        guard HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: signed, using: key),
            let generation = Int64(parts[2]), generation >= 0
        else { return nil }
        return RefreshToken(sessionID: String(parts[1]), generation: generation)
    }

    private static let prefix = Array("rt1_".utf8)
}
