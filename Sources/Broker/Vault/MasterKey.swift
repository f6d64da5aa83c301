package import Crypto
import Foundation

/// The 32 bytes everything at rest is protected with; each purpose gets its own key derived from them (RFC 5869).
///
/// It is stored outside the data folder, so that a copy of the database contains no usable credential.
package struct MasterKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The purpose of a derived key; the text is part of the derivation and never changes.
    package enum Purpose: String, Sendable {
        case vault = "vault/v1"
        case withdrawals = "withdrawal/v1"
        case refreshTokens = "refresh-token/v1"
        case oauthRefreshTokens = "oauth-refresh-token/v1"
        case pendingTokens = "pending-token/v1"
        case mergeSnapshots = "merge-snapshot/v1"
        case signInAttempts = "sign-in-attempt/v1"
        case webSessions = "web-session/v1"
        case forms = "hosted-form/v1"
        case deviceAuthorizations = "device-authorization/v1"
        case userCodes = "user-code/v1"
        case requesters = "requester/v1"
        case signingKeys = "sealed-signing-key/v1"
        case check = "key-check/v1"
        case identifier = "key-id/v1"
    }

    private let key: SymmetricKey

    /// `nil` unless there are exactly 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// A key for one purpose.
    package func derive(_ purpose: Purpose, salt: [UInt8] = []) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, salt: salt, info: Array("broker/\(purpose.rawValue)".utf8), outputByteCount: 32)
    }

    /// Eight hexadecimal digits that tell this key from others without telling anything about it.
    package var identifier: String {
        derive(.identifier).withUnsafeBytes { bytes in
            bytes.prefix(4).map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
        }
    }

    /// The value in the store that recognises the right key.
    package var checkValue: [UInt8] { derive(.check).withUnsafeBytes { Array($0) } }

    package var description: String { "MasterKey(\(identifier))" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension MasterKey {
    /// A fresh key as `broker init` writes it: 43 characters of base64url and a line end.
    package static func generateText() -> String {
        let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        return bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "") + "\n"
    }

    /// Reads the key from where the configuration says.
    ///
    /// - Throws: ``ConfigurationError`` when it is absent, malformed, or a file that others on the host can read.
    package static func load(
        _ source: MasterKeySource, environment: [String: String]
    ) throws(ConfigurationError) -> MasterKey {
        let name: String
        let text: String
        switch source {
        case .environment(let variable):
            name = "environment variable \(variable)"
            guard let value = environment[variable], !value.isEmpty else {
                throw ConfigurationError(name, "is not set.", fix: "Set it to the master key of this broker's data.")
            }
            text = value
        case .file(let path):
            name = path
            let data = try ProtectedFile.bytes(
                of: path, named: "the master key",
                fix: "Restore it; without it the stored credentials are lost. A new broker gets one by broker init.",
                environment: environment)
            text = String(decoding: data, as: UTF8.self)
        }
        guard let key = MasterKey(text: text) else {
            throw ConfigurationError(name, "is no master key: 43 characters of base64url are expected.")
        }
        return key
    }

    private init?(text: String) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let standard = trimmed.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        guard trimmed.utf8.count == 43, let data = Data(base64Encoded: standard + "=") else { return nil }
        self.init(bytes: Array(data))
    }
}
