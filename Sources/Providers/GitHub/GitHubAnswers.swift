import ProviderKit

/// The response of `GET /user`, as far as the plugin uses it.
struct GitHubUser: Decodable, Sendable {
    /// The stable subject; a login can be renamed and reused.
    let id: Int64
    let login: String
    let name: String?
    let avatarURL: String?
    /// The public address of the profile: unverified, and usually absent.
    let email: String?

    enum CodingKeys: String, CodingKey {
        case id, login, name, email
        case avatarURL = "avatar_url"
    }
}

/// An entry of `GET /user/emails`.
struct GitHubEmail: Decodable, Sendable {
    let email: String
    let primary: Bool
    let verified: Bool
}

/// The response of `POST /applications/{client_id}/token`: the token's user and application.
struct GitHubTokenCheck: Decodable, Sendable {
    struct Application: Decodable, Sendable {
        let clientID: String

        enum CodingKeys: String, CodingKey { case clientID = "client_id" }
    }
    struct Owner: Decodable, Sendable { let id: Int64 }

    let app: Application
    let user: Owner
    let scopes: [String]?

    func grant(_ token: String, clientID: String) -> UpstreamGrant {
        UpstreamGrant(clientID: clientID, accessToken: token, scopes: scopes ?? [])
    }
}

extension JSONValue {
    /// The object with one more member, if there is a value.
    func adding(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard let value, case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }
}

/// The metadata of an installation's authorization server (RFC 8414 §2), as far as the plugin uses it.
struct GitHubMetadata: Decodable, Sendable {
    let codeChallengeMethods: [String]?

    enum CodingKeys: String, CodingKey {
        case codeChallengeMethods = "code_challenge_methods_supported"
    }
}
