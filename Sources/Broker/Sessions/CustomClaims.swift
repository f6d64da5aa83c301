import BrokerStore
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

    /// UTF-16 units that the custom attributes of a user may have, as Firebase's SDKs count.
    static let maximumAttributes = 1000

    /// Checks the text of a user's custom attributes.
    ///
    /// - Throws: ``BrokerError/claimsTooLarge``, ``BrokerError/invalidClaims`` for anything but a JSON object,
    ///   ``BrokerError/forbiddenClaim(_:)`` with the first of the list.
    static func check(attributes text: String) throws(BrokerError) {
        guard text.utf16.count <= maximumAttributes else { throw .claimsTooLarge }
        guard let claims = try? JSONValue(parsing: text.utf8).object else { throw .invalidClaims }
        try check(claims)
    }

    /// Checks the claims of a custom token.
    ///
    /// - Throws: ``BrokerError/claimsTooLarge``; ``BrokerError/forbiddenClaim(_:)`` with the first of the list.
    static func check(_ claims: JSONObject) throws(BrokerError) {
        if let name = forbidden.first(where: { claims[$0] != nil }) { throw .forbiddenClaim(name) }
        guard claims.serialized().utf8.count <= maximumBytes else { throw .claimsTooLarge }
    }
}

extension CustomClaims {
    /// Names that tokens, userinfo and introspection of OpenID Connect use otherwise: a claim of that name stays in
    /// tokens of Identity Toolkit.
    static let reservedInOpenID = Set(SessionClaim.all.map(\.name)).union([
        // RFC 7519, 7662, 7800, 8417, 8693, 9068, 9396, 9449, and `scp`, which some read as `scope`
        "nbf", "cnf", "act", "may_act", "active", "username", "token_type", "events", "txn", "toe", "groups", "roles",
        "entitlements", "authorization_details", "htm", "htu", "ath", "scp",
        // OpenID Connect Core, Identity Assurance, Logout
        "given_name", "family_name", "middle_name", "nickname", "profile", "website", "gender", "birthdate", "zoneinfo",
        "locale", "phone_number", "phone_number_verified", "address", "updated_at", "azp", "c_hash", "s_hash",
        "sub_jwk",
        "_claim_names", "_claim_sources", "verified_claims",
        // Identity Toolkit
        "firebase", "provider_id", "user_id",
    ])

    /// The claims for clients of OpenID Connect: the user's, then those that the custom token of the sign-in had.
    ///
    /// - Returns: The claims, and the names of those that are reserved there.
    static func ofOpenID(_ user: User, _ session: Session?) -> (claims: [(String, JSONValue)], reserved: [String]) {
        guard user.customAttributes != nil || session?.claims != nil else { return ([], []) }
        var claims = user.customClaims
        for (name, value) in stored(session?.claims) { claims[name] = value }
        return (
            claims.filter { !reservedInOpenID.contains($0.name) }.map { ($0.name, $0.value) },
            claims.names.filter(reservedInOpenID.contains)
        )
    }

    /// Claims that were checked before they were stored.
    static func stored(_ text: String?) -> JSONObject {
        text.flatMap { try? JSONValue(parsing: $0.utf8, limits: .stored).object } ?? JSONObject()
    }
}

extension User {
    /// The custom claims, which an administrator has set.
    var customClaims: JSONObject { CustomClaims.stored(customAttributes) }
}
