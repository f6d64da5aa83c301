/// Why a token, a key or a set of keys is not accepted. Never holds any part of a token.
package struct JOSEError: Error, Sendable, Hashable {
    /// The rule that was broken.
    package enum Kind: String, Sendable, Hashable {
        /// Not three parts of strict base64url around strict JSON objects, or too long.
        case malformedToken
        /// The header uses an extension, or brings its own key.
        case unsupportedHeader
        /// The header's algorithm is not on the list, or not the algorithm of the key.
        case algorithmNotAllowed
        /// The header names no key, or one that is not in the set.
        case unknownKey
        /// The signature is not the key's over this token.
        case invalidSignature
        /// A claim is missing, of the wrong type or out of range.
        case invalidClaim
        /// The nonce is missing, or not the one that is expected.
        case wrongNonce
        /// A key or a set of keys breaks the rules of RFC 7517 or RFC 7518.
        case malformedKey
        /// A key of a kind, size or purpose that is not used here; a set of keys may well contain such keys.
        case unsupportedKey
        /// A private key could not be made, read or used.
        case unusableKey
    }

    /// The rule that was broken.
    package let kind: Kind

    /// What exactly is wrong, for logs.
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
