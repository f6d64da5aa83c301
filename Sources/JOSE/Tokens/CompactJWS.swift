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
        try verifiedWithKey(of: keys, algorithms: algorithms, requiresKeyID: requiresKeyID).payload
    }

    /// The same, with the key that verified it.
    func verifiedWithKey(
        of keys: KeySet, algorithms: Set<SignatureAlgorithm>, requiresKeyID: Bool
    ) throws(JOSEError) -> (payload: JSONValue, key: JSONWebKey) {
        guard let algorithm = SignatureAlgorithm(rawValue: header.algorithm), algorithms.contains(algorithm) else {
            throw algorithmRefusal(accepted: algorithms.map(\.rawValue))
        }
        let key = try key(of: keys, requiresKeyID: requiresKeyID)
        return (try verified(with: key.key(for: algorithm) ?? key.key), key)
    }

    private func key(of keys: KeySet, requiresKeyID: Bool) throws(JOSEError) -> JSONWebKey {
        guard let keyID = header.keyID else {
            guard !requiresKeyID, keys.keys.count == 1, let only = keys.keys.first else {
                throw JOSEError(.unknownKey, "header without kid")
            }
            return only
        }
        guard let key = keys.webKey(keyID) else { throw JOSEError(.unknownKey, "no key with this kid") }
        return key
    }

    /// The refusal of the header's algorithm, which it names.
    package func algorithmRefusal(accepted: [String]) -> JOSEError {
        JOSEError(
            .algorithmNotAllowed,
            "alg is \(header.registeredAlgorithm), and accepted is \(accepted.sorted().joined(separator: ", "))")
    }

    /// Verifies an HS256 signature with a shared secret and returns the claims.
    ///
    /// - Parameter secret: The secret, as its UTF-8.
    /// - Returns: The payload, an object.
    /// - Throws: ``JOSEError``: of kind ``JOSEError/Kind/unusableKey`` when the secret is shorter than
    ///   `IDTokenPolicy.leastSecretBytes`; when the header names another algorithm, the signature is wrong, or the payload
    ///   is not a strict JSON object.
    package func verified(with secret: Secret) throws(JOSEError) -> JSONValue {
        guard header.algorithm == Self.symmetricAlgorithm else {
            throw algorithmRefusal(accepted: [Self.symmetricAlgorithm])
        }
        guard secret.reveal().utf8.count >= IDTokenPolicy.leastSecretBytes else {
            throw JOSEError(.unusableKey, "HS256 needs a secret of \(IDTokenPolicy.leastSecretBytes) bytes or more")
        }
        guard MessageAuthentication.isValid(signature, of: signingInput, key: secret) else {
            throw JOSEError(.invalidSignature, "signature does not match")
        }
        return .object(try unverifiedClaims())
    }

    /// HMAC with SHA-256 (RFC 7518 §3.2). No ``SignatureAlgorithm``: no published key verifies it.
    package static let symmetricAlgorithm = "HS256"

    /// Verifies the signature with `key` and returns the claims, for issuers whose keys have no ids.
    ///
    /// - Parameter key: A key of the expected issuer, which determines the algorithm.
    /// - Returns: The payload, an object.
    /// - Throws: ``JOSEError`` when the header names another algorithm than the key's, the signature is wrong, or the
    ///   payload is not a strict JSON object.
    package func verified(with key: PublicVerificationKey) throws(JOSEError) -> JSONValue {
        guard header.algorithm == key.algorithm.rawValue else {
            throw JOSEError(
                .algorithmNotAllowed,
                "alg is \(header.registeredAlgorithm), and the key is for \(key.algorithm.rawValue)")
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
