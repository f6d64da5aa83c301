/// The reason to refuse a token, a key or a key set. Contains no part of a token.
package struct JOSEError: Error, Sendable, Hashable {
    /// The rule that was broken.
    package enum Kind: String, Sendable, Hashable {
        /// Not three parts of strict base64url around strict JSON objects, or too long.
        case malformedToken
        /// The header uses an extension, or contains a key.
        case unsupportedHeader
        /// The header's algorithm is not on the list, or not the algorithm of the key.
        case algorithmNotAllowed
        /// The header names no key, or one that is not in the set.
        case unknownKey
        /// The signature does not match the key and the token.
        case invalidSignature
        /// A claim is missing, of the wrong type or out of range.
        case invalidClaim
        /// The nonce is missing or differs from the expected one.
        case wrongNonce
        /// A key or a key set violates RFC 7517 or RFC 7518.
        case malformedKey
        /// A key of an unsupported type, size or use; a key set may contain such keys.
        case unsupportedKey
        /// A private key could not be generated, read or used.
        case unusableKey
    }

    /// The rule that was broken.
    package let kind: Kind

    /// The details, for logs.
    package let reason: String

    /// Makes an error; `reason` must not repeat content of the token.
    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }
}

extension JOSEError: CustomStringConvertible {
    /// The rule and the reason, on one line.
    package var description: String { "\(kind.rawValue): \(reason)" }
}
