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

extension User {
    /// The custom claims, which an administrator has set.
    var customClaims: JSONObject {
        (try? JSONValue(parsing: (customAttributes ?? "{}").utf8).object) ?? JSONObject()
    }
}
