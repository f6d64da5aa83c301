import Crypto
import Foundation
import JOSE
import ProviderKit

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

    /// The text for a body, whose parts may name the key.
    func sign(_ parts: (_ keyID: String) -> [String]) -> String {
        let secret = masterKey.signingSecret(for: purpose)
        var bytes = prefix.utf8Bytes
        bytes.reserveCapacity(maximumLength)
        for (index, part) in parts(secret.id).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ".")) }
            bytes += part.utf8Bytes
        }
        let mac = secret.code(of: bytes).byteArray
        bytes.append(UInt8(ascii: "."))
        Base64URL.append(mac, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Returns: The body; nil for a text that this broker did not write.
    func body(of text: String) -> String? {
        signedBytes(of: text).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The parts of the body, between full stops.
    func parts(of text: String) -> [String]? {
        signedBytes(of: text)?.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The bytes of the body.
    private func signedBytes(of text: String) -> ArraySlice<UInt8>? {
        guard text.utf8.count <= maximumLength else { return nil }
        let bytes = text.utf8Bytes
        guard bytes.starts(with: prefix.utf8), let dot = bytes.lastIndex(of: UInt8(ascii: ".")),
            let mac = Base64URL.decode(bytes[(dot + 1)...])
        else { return nil }
        let signed = Array(bytes[..<dot])
        let isGenuine = masterKey.verificationSecrets(for: purpose).contains { $0.code(of: signed) == mac }
        guard isGenuine else { return nil }
        return signed.dropFirst(prefix.utf8.count)
    }
}
