import Crypto
import Foundation
import JOSE

/// Text that names a row and that only this broker can write: `<prefix><body>.<HMAC-SHA256 over both>`.
///
/// The store holds nothing that such a text could be made of. Each purpose has a prefix and a key of its own.
struct SignedText: Sendable {
    private let prefix: String
    private let key: SymmetricKey
    private let maximumLength: Int

    /// - Parameters:
    ///   - prefix: What the text begins with.
    ///   - masterKey: The key is derived from this one.
    ///   - purpose: What for.
    ///   - maximumLength: The bytes of the longest text that is read.
    init(_ prefix: String, _ masterKey: MasterKey, _ purpose: MasterKey.Purpose, maximumLength: Int) {
        self.prefix = prefix
        self.maximumLength = maximumLength
        key = masterKey.derive(purpose)
    }

    /// The text for a body.
    func sign(_ body: String) -> String {
        let signed = prefix + body
        let mac = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)
        return "\(signed).\(Base64URL.encode(Array(mac)))"
    }

    /// - Returns: The body; nil for a text that this broker did not write.
    func body(of text: String) -> Substring? {
        let bytes = text.utf8
        guard bytes.count <= maximumLength, bytes.starts(with: prefix.utf8),
            let dot = bytes.lastIndex(of: UInt8(ascii: ".")),
            let mac = Base64URL.decode(bytes[bytes.index(after: dot)...])
        else { return nil }
        let signed = bytes[..<dot]
        guard HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: Data(signed), using: key) else { return nil }
        return Substring(signed.dropFirst(prefix.utf8.count))
    }
}
