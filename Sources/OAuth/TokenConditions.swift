package import JOSE
import StrictJSON

/// The conditions of the broker's tokens of one family and kind, beside the time of their validity. With the keys of its
/// family, a token fulfils the conditions of its own kind only.
package struct TokenConditions: Sendable, Equatable {
    private let type: ExactName?
    private let issuer: ExactName
    private let audiences: [ExactName]?
    private let algorithms: Set<SignatureAlgorithm>

    /// Makes conditions.
    ///
    /// - Parameters:
    ///   - type: The `typ` of the header; `nil` for any.
    ///   - issuer: The issuer.
    ///   - audiences: Of which the token has one and no other; `nil` for any one, a client that the caller compares.
    ///   - algorithms: The allowed algorithms.
    package init(
        type: String?, issuer: String, audiences: [String]?,
        algorithms: Set<SignatureAlgorithm> = [.es256, .rs256]
    ) {
        self.type = type.map(ExactName.init)
        self.issuer = ExactName(issuer)
        self.audiences = audiences?.map(ExactName.init)
        self.algorithms = algorithms
    }

    /// Verifies a token, except for its time.
    ///
    /// - Returns: Its claims and its one audience.
    /// - Throws: ``JOSEError``.
    package func verify(
        _ token: CompactJWS, with keys: KeySet
    ) throws(JOSEError) -> (claims: RegisteredClaims, audience: String) {
        if let type {
            guard token.header.type?.hasSameBytes(as: type.text) ?? false else {
                throw JOSEError(.unsupportedHeader, "typ is that of another kind")
            }
        }
        let claims = try RegisteredClaims(token.verified(with: keys, algorithms: algorithms))
        guard try claims.issuer.hasSameBytes(as: issuer.text) else {
            throw JOSEError(.invalidClaim, "iss is that of another kind")
        }
        let names = try claims.audience.names
        guard names.count == 1, audiences?.contains(where: { $0.text.hasSameBytes(as: names[0]) }) ?? true else {
            throw JOSEError(.invalidClaim, "aud is not accepted")
        }
        return (claims, names[0])
    }
}
