import ProviderKit

/// The claims that developers may put into ID tokens (contract §7.5).
enum CustomClaims {
    /// Claims reserved for the broker. Others that it sets, such as `email`, are dropped instead of refused.
    static let forbidden = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase",
        "at_hash", "c_hash", "broker",
    ]

    /// Bytes the claims of a custom token may have: with more the ID token would outgrow what its readers take.
    static let maximumBytes = 4096

    /// - Throws: ``BrokerError/claimsTooLarge``; ``BrokerError/forbiddenClaim(_:)`` with the first of the list.
    static func check(_ claims: JSONObject) throws(BrokerError) {
        if let name = forbidden.first(where: { claims[$0] != nil }) { throw .forbiddenClaim(name) }
        guard claims.serialized().utf8.count <= maximumBytes else { throw .claimsTooLarge }
    }
}
