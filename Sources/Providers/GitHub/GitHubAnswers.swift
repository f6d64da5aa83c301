import ProviderKit

/// `GET /user`, as far as it decides something.
struct GitHubUser: Decodable, Sendable {
    /// The stable subject; a name can be renamed and taken over.
    let id: Int64
    let login: String
    let name: String?
    let avatarURL: String?
    /// The address the person shows on the profile: unproven, and usually absent.
    let email: String?

    enum CodingKeys: String, CodingKey {
        case id, login, name, email
        case avatarURL = "avatar_url"
    }
}

/// One entry of `GET /user/emails`.
struct GitHubEmail: Decodable, Sendable {
    let email: String
    let primary: Bool
    let verified: Bool
}

/// `POST /applications/{client_id}/token`: GitHub's word on whose token it is.
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
    /// The object with one more member, when there is a value for it.
    func adding(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard let value, case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }
}

/// What an installation says about its authorization server (RFC 8414 §2), as far as it decides something.
struct GitHubMetadata: Decodable, Sendable {
    let codeChallengeMethods: [String]?

    enum CodingKeys: String, CodingKey {
        case codeChallengeMethods = "code_challenge_methods_supported"
    }
}
