package import ProviderKit

/// A signer of tokens with one key.
package struct TokenSigner: Sendable {
    /// The key id (`kid`) for verifiers.
    package let keyID: String

    /// The key.
    package let key: any TokenSigningKey

    /// The header of tokens of the default type, in base64url and with the dot.
    private let header: [UInt8]

    /// Makes a signer.
    ///
    /// - Throws: ``JOSEError`` when `keyID` is not 1 to 256 printable ASCII characters.
    package init(keyID: String, key: some TokenSigningKey) throws(JOSEError) {
        guard keyID.isKeyID else {
            throw JOSEError(.malformedKey, "kid is not 1 to 256 printable ASCII characters")
        }
        self.keyID = keyID
        self.key = key
        header = Self.header(algorithm: key.algorithm, keyID: keyID, type: Self.ordinaryType)
    }

    /// Signs a token in compact serialization (RFC 7515 §7.1).
    ///
    /// - Parameters:
    ///   - claims: The payload.
    ///   - type: The header's `typ`, such as `at+jwt`.
    /// - Returns: The token.
    /// - Throws: ``JOSEError`` when the key cannot sign.
    package func token(claims: JSONObject, type: String = ordinaryType) throws(JOSEError) -> String {
        try token(payload: claims.serializedBytes(), type: type)
    }

    /// The same with the claims as JSON.
    package func token(payload: [UInt8], type: String = ordinaryType) throws(JOSEError) -> String {
        let header =
            type == Self.ordinaryType ? header : Self.header(algorithm: key.algorithm, keyID: keyID, type: type)
        var token: [UInt8] = []
        // With a signature of 64 bytes. What is longer has taken so much longer that a copy is not felt.
        token.reserveCapacity(header.count + Base64URL.length(of: payload.count) + 1 + Base64URL.length(of: 64))
        token += header
        Base64URL.append(payload, to: &token)
        let signature = try key.sign(token)
        token.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &token)
        return String(decoding: token, as: UTF8.self)
    }

    /// The default token type (RFC 7519 §5.1).
    package static let ordinaryType = "JWT"

    private static func header(algorithm: SignatureAlgorithm, keyID: String, type: String) -> [UInt8] {
        let members: JSONObject = ["alg": .string(algorithm.rawValue), "kid": .string(keyID), "typ": .string(type)]
        return Array((Base64URL.encode(members.serializedBytes()) + ".").utf8)
    }
}
