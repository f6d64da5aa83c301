package import ProviderKit

/// A signed token in its compact form (RFC 7515 §3.1), taken apart but not yet believed.
package struct CompactJWS: Sendable {
    /// Longer tokens are refused unseen.
    package static let maximumLength = 16 * 1024

    /// Neither headers nor claims nest deeper.
    private static let limits = JSONLimits(maximumDepth: 16, maximumBytes: maximumLength)

    /// What the token says about its signature.
    package let header: JWSHeader

    /// What the token claims. Only ``verified(with:algorithms:)`` makes it worth reading.
    package let unverifiedPayload: [UInt8]

    /// The bytes that are signed.
    package let signingInput: [UInt8]

    /// The signature over them.
    package let signature: [UInt8]

    /// Takes a token apart.
    ///
    /// - Throws: ``JOSEError`` when it is not three parts of strict base64url, when it is longer than
    ///   ``maximumLength``, or when its header is not one that is understood here.
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

    /// The claims, once the signature is proven to be by a key of `keys`.
    ///
    /// The algorithm is looked up before any key is, and the key decides what it can be used for.
    ///
    /// - Parameters:
    ///   - keys: The keys of the issuer that is expected, never of the issuer the token names.
    ///   - algorithms: What that issuer may sign with.
    ///   - requiresKeyID: Whether the token has to name its key even when the issuer has only one (OpenID Connect Core
    ///     §10.1 lets it be silent then).
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

    /// The claims, once the signature is proven to be by `key`, for issuers whose keys have no names.
    ///
    /// - Parameter key: A key of the issuer that is expected; what it is for decides the algorithm.
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

    /// What the token claims, believed by nobody: for finding out whose keys to verify it with.
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
