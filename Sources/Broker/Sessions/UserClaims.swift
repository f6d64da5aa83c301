import BrokerStore
import ProviderKit

/// The claims about a user that a scope grants (OpenID Connect Core §5.4), in ID tokens and at the userinfo endpoint.
struct UserClaims: Sendable {
    let members: JSONObject

    /// All names there can be.
    static let names = ["name", "picture", "email", "email_verified"]

    init(_ user: User, _ scopes: Scopes) {
        var members = JSONObject()
        if scopes.contains(.profile) {
            members["name"] = user.displayName.map(JSONValue.string)
            members["picture"] = (PictureURL(user.photoURL)?.claim).map(JSONValue.string)
        }
        if scopes.contains(.email), let email = user.email {
            members["email"] = .string(email)
            members["email_verified"] = .bool(user.isEmailVerified)
        }
        self.members = members
    }
}
