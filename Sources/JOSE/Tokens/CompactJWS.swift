package import ProviderKit

/// A parsed, unverified JWS in compact serialization (RFC 7515 §3.1).
package struct CompactJWS: Sendable {
    /// The maximum length in bytes; longer tokens are refused without parsing.
    package static let maximumLength = 16 * 1024

    /// The maximum nesting depth of header and claims.
    private static let limits = JSONLimits(maximumDepth: 16, maximumBytes: maximumLength)

    /// The unverified header.
    package let header: JWSHeader

    /// The unverified payload; ``verified(with:algorithms:)`` returns the verified claims.
    package let unverifiedPayload: [UInt8]

    /// The bytes that are signed.
    package let signingInput: [UInt8]

    /// The signature over them.
    package let signature: [UInt8]

    /// Parses a token.
    ///
    /// - Throws: ``JOSEError`` when it is not three parts of strict base64url, when it is longer than
    ///   ``maximumLength``, or when its header is not supported.
    package init(parsing token: some StringProtocol) throws(JOSEError) {
        guard token.utf8.count <= Self.maximumLength else {
            throw JOSEError(.malformedToken, "longer than \(Self.maximumLength) bytes")
        }
        let bytes = Array(token.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw JOSEError(.malformedToken, "not three parts") }
        guard let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw JOSEError(.malformedToken, "not base64url") }
        self.header = try JWSHeader(Self.parse(header, "header"))
        unverifiedPayload = payload
        signingInput = Array(bytes[..<parts[1].endIndex])
        self.signature = signature
    }

    /// Verifies the signature with a key of `keys` and returns the claims.
    ///
    /// The algorithm is checked before a key is selected, and the key determines its own algorithm.
    ///
    /// - Parameters:
    ///   - keys: The keys of the expected issuer, never of the issuer that the token names.
    ///   - algorithms: The issuer's allowed algorithms.
    ///   - requiresKeyID: Whether the token must have a `kid` even when the issuer has only one key (OpenID Connect Core
    ///     §10.1 makes it optional then).
    /// - Returns: The payload, an object.
    /// - Throws: ``JOSEError`` when the algorithm is not on the list, the key is not known or not for that algorithm,
    ///   the signature is wrong, or the payload is not a strict JSON object.
    package func verified(
        with keys: KeySet, algorithms: Set<SignatureAlgorithm>, requiresKeyID: Bool = true
    ) throws(JOSEError) -> JSONValue {
        guard let algorithm = SignatureAlgorithm(rawValue: header.algorithm), algorithms.contains(algorithm) else {
            throw JOSEError(.algorithmNotAllowed, "alg is not on the list")
        }
        guard let keyID = header.keyID else {
            guard !requiresKeyID, keys.keys.count == 1, let only = keys.keys.first else {
                throw JOSEError(.unknownKey, "header without kid")
            }
            return try verified(with: only.key)
        }
        guard let key = keys[keyID] else { throw JOSEError(.unknownKey, "no key with this kid") }
        return try verified(with: key)
    }

    /// Verifies the signature with `key` and returns the claims, for issuers whose keys have no ids.
    ///
    /// - Parameter key: A key of the expected issuer, which determines the algorithm.
    /// - Returns: The payload, an object.
    /// - Throws: ``JOSEError`` when the header names another algorithm than the key's, the signature is wrong, or the
    ///   payload is not a strict JSON object.
    package func verified(with key: PublicVerificationKey) throws(JOSEError) -> JSONValue {
        guard header.algorithm == key.algorithm.rawValue else {
            throw JOSEError(.algorithmNotAllowed, "alg is not the algorithm of the key")
        }
        guard key.isValid(signature: signature, for: signingInput) else {
            throw JOSEError(.invalidSignature, "signature does not match")
        }
        return .object(try unverifiedClaims())
    }

    /// The unverified claims, only for selecting the keys to verify the token with.
    ///
    /// - Throws: ``JOSEError`` when the payload is not a strict JSON object.
    package func unverifiedClaims() throws(JOSEError) -> JSONObject {
        guard let claims = try Self.parse(unverifiedPayload, "payload").object else {
            throw JOSEError(.malformedToken, "payload is not an object")
        }
        return claims
    }

    private static func parse(_ bytes: [UInt8], _ part: String) throws(JOSEError) -> JSONValue {
        do {
            return try JSONValue(parsing: bytes, limits: limits)
        } catch {
            throw JOSEError(.malformedToken, "\(part) is not strict JSON: \(error)")
        }
    }
}
