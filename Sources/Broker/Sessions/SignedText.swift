import Crypto
import Foundation
import JOSE

/// Text that names a row and that only this broker can write: `<prefix><body>.<HMAC-SHA256 over both>`.
///
/// The store holds nothing that such a text could be made of. Each purpose has a prefix and a key of its own, which
/// outlives rotations of the master key.
struct SignedText: Sendable {
    private let prefix: String
    private let masterKey: MasterKey
    private let purpose: MasterKey.Purpose
    private let maximumLength: Int

    /// - Parameters:
    ///   - prefix: What the text begins with.
    ///   - masterKey: Has the keys.
    ///   - purpose: One of `MasterKey.Purpose.wrapped`.
    ///   - maximumLength: The bytes of the longest text that is read.
    init(_ prefix: String, _ masterKey: MasterKey, _ purpose: MasterKey.Purpose, maximumLength: Int) {
        self.prefix = prefix
        self.masterKey = masterKey
        self.purpose = purpose
        self.maximumLength = maximumLength
    }

    /// The text for a body, which may name the key.
    func sign(_ body: (_ keyID: String) -> String) -> String {
        let secret = masterKey.signingSecret(for: purpose)
        let signed = prefix + body(secret.id)
        let mac = secret.code(of: Array(signed.utf8))
        return "\(signed).\(Base64URL.encode(Array(mac)))"
    }

    /// - Returns: The body; nil for a text that this broker did not write.
    func body(of text: String) -> Substring? {
        guard text.utf8.count <= maximumLength else { return nil }
        let bytes = Array(text.utf8)
        guard bytes.starts(with: prefix.utf8), let dot = bytes.lastIndex(of: UInt8(ascii: ".")),
            let mac = Base64URL.decode(bytes[(dot + 1)...])
        else { return nil }
        let signed = Array(bytes[..<dot])
        let isGenuine = masterKey.verificationSecrets(for: purpose).contains { $0.code(of: signed) == mac }
        guard isGenuine else { return nil }
        return Substring(decoding: signed.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// The parts of the body, between full stops.
    func parts(of text: String) -> [Substring]? {
        body(of: text)?.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Substring.init)
    }
}
