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

/// Writes and reads the refresh tokens of one family with a key derived from the master key.
///
/// Those of OAuth clients begin with `ort1_` and have a key of their own, so neither family takes the other's.
struct RefreshTokenCodec: Sendable {
    private let prefix: String
    private let key: SymmetricKey
    private let keyID: String

    /// For Identity Toolkit's tokens.
    init(_ masterKey: MasterKey) {
        self.init(prefix: "rt1_", masterKey, .refreshTokens)
    }

    private init(prefix: String, _ masterKey: MasterKey, _ purpose: MasterKey.Purpose) {
        self.prefix = prefix
        key = masterKey.derive(purpose)
        keyID = masterKey.identifier
    }

    /// For those of OAuth clients.
    static func oauth(_ masterKey: MasterKey) -> RefreshTokenCodec {
        RefreshTokenCodec(prefix: "ort1_", masterKey, .oauthRefreshTokens)
    }

    func encode(_ token: RefreshToken) -> String {
        let signed = "\(prefix)\(keyID).\(token.sessionID).\(token.generation)"
        let mac = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)
        return "\(signed).\(Base64URL.encode(Array(mac)))"
    }

    /// - Returns: `nil` for anything this broker did not write; nothing else may follow from it.
    func decode(_ text: String) -> RefreshToken? {
        guard text.utf8.count <= 256, text.utf8.starts(with: prefix.utf8) else { return nil }
        let parts = text.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let mac = Base64URL.decode(parts[3].utf8) else { return nil }
        let signed = Data(text.utf8.dropLast(parts[3].utf8.count + 1))
        guard HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: signed, using: key),
            let generation = Int64(parts[2]), generation >= 0
        else { return nil }
        return RefreshToken(sessionID: String(parts[1]), generation: generation)
    }
}
