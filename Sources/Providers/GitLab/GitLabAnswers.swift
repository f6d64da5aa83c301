import ProviderKit

/// `GET /oauth/token/info`: GitLab's word on whose token it is.
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

/// `GET /api/v4/user`, as far as it decides something.
struct GitLabUser: Decodable, Sendable {
    /// The stable subject; a user name can be renamed and taken over.
    let id: Int64
    let username: String
    let name: String?
    /// `active`, or why the account may not be used.
    let state: String
    /// Whether too many wrong passwords have locked the account; absent before GitLab 14.10.
    let locked: Bool?
    let avatarURL: String?
    let email: String?
    /// When the primary address was confirmed; `null` while it is not.
    let confirmedAt: String?

    enum CodingKeys: String, CodingKey {
        case id, username, name, state, locked, email
        case avatarURL = "avatar_url"
        case confirmedAt = "confirmed_at"
    }

    /// The address the account belongs to, unlike `public_email`, which people choose to show.
    var primaryEmail: ExternalIdentity.Email? {
        email.flatMap { $0.isEmpty ? nil : .init($0, isVerified: confirmedAt?.isEmpty == false) }
    }
}

/// What ID tokens and `GET /oauth/userinfo` say about a person.
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
    /// The value in another shape, for JSON that is no upstream's whole answer.
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
