import Crypto
import Foundation
import JOSE

/// The nonce of one native sign-in: the provider gets its SHA-256, the broker the raw text.
///
/// Make one for each request.
public struct SignInNonce: Sendable, Hashable {
    /// The nonce itself, for the broker alone.
    public let raw: String

    /// Draws a nonce of 32 characters, 192 bits.
    public init() { raw = Self.draw(32) }

    /// Draws a nonce of `length` characters, each of 64 URL-safe ones; `nil` when `length` is not positive.
    public init?(length: Int) {
        guard length > 0 else { return nil }
        raw = Self.draw(length)
    }

    /// The nonce of a request that the app made itself.
    package init(raw: String) { self.raw = raw }

    /// The SHA-256 of ``raw`` in lower-case hexadecimal, for the request to the provider.
    public var sha256Hex: String { SHA256.hexadecimalHash(of: Data(raw.utf8)) }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func draw(_ length: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return draw(length) { UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Bytes outside of the alphabet's range are drawn again, so that every character is equally likely.
    package static func draw(_ length: Int, byte: () -> UInt8) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(length)
        while text.count < length {
            let index = Int(byte())
            if index < alphabet.count { text.append(alphabet[index]) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension SignInNonce: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the nonce.
    public var description: String { "SignInNonce(<redacted>)" }
    /// Nothing of the nonce.
    public var debugDescription: String { description }
    /// Nothing of the nonce.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
