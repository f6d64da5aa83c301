import ProviderKit

/// The response of `GET /oauth/token/info`: the token's user and application.
struct GitLabTokenInfo: Decodable, Sendable {
    struct Application: Decodable, Sendable { let uid: String? }

    let ownerID: Int64?
    let application: Application?
    let scopes: [String]
    let expiresIn: Int64?

    enum CodingKeys: String, CodingKey {
        case application
        case ownerID = "resource_owner_id"
        case scopes = "scope"
        case expiresIn = "expires_in"
    }
}

/// The response of `GET /api/v4/user`, as far as the plugin uses it.
struct GitLabUser: Decodable, Sendable {
    /// The stable subject; a user name can be renamed and reused.
    let id: Int64
    let username: String
    let name: String?
    /// `active`, or the reason why the account is not usable.
    let state: String
    /// Whether too many wrong passwords have locked the account; absent before GitLab 14.10.
    let locked: Bool?
    let avatarURL: String?
    let email: String?
    /// The time at which the primary address was confirmed, or `null`.
    let confirmedAt: String?

    enum CodingKeys: String, CodingKey {
        case id, username, name, state, locked, email
        case avatarURL = "avatar_url"
        case confirmedAt = "confirmed_at"
    }

    /// The account's address, unlike the public `public_email`.
    var primaryEmail: ExternalIdentity.Email? {
        email.flatMap { $0.isEmpty ? nil : .init($0, isVerified: confirmedAt?.isEmpty == false) }
    }
}

/// The claims of ID tokens and of `GET /oauth/userinfo`.
struct GitLabClaims: Decodable, Sendable {
    let subject: String
    let name: String?
    let username: String?
    let picture: String?
    let address: String?
    let isAddressVerified: Bool?

    enum CodingKeys: String, CodingKey {
        case name, picture
        case subject = "sub"
        case username = "preferred_username"
        case address = "email"
        case isAddressVerified = "email_verified"
    }

    var email: ExternalIdentity.Email? {
        address.flatMap { $0.isEmpty ? nil : .init($0, isVerified: isAddressVerified ?? false) }
    }

    func identity(
        email: ExternalIdentity.Email?, profile: JSONValue, grant: UpstreamGrant?
    ) -> ExternalIdentity {
        ExternalIdentity(
            subject: subject, email: email, displayName: name ?? username, screenName: username, pictureURL: picture,
            profile: profile, grant: grant)
    }
}

extension JSONValue {
    /// Decodes a JSON value that is not a whole response.
    func decode<Value: Decodable>(
        _ type: Value.Type, at step: ProviderError.Step
    ) throws(ProviderError) -> Value {
        do {
            return try JSONValueDecoder().decode(type, from: self)
        } catch {
            throw ProviderError(.credential, at: step, "the claims have an unexpected shape: \(error)")
        }
    }
}
