import Foundation
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
    /// When a GitHub App's token expires (ISO 8601); `null` for an OAuth app's.
    let expiresAt: String?

    enum CodingKeys: String, CodingKey {
        case app, user, scopes
        case expiresAt = "expires_at"
    }

    func grant(_ token: String, clientID: String) -> UpstreamGrant {
        UpstreamGrant(
            clientID: clientID, accessToken: token, scopes: scopes ?? [],
            expiresAt: expiresAt.flatMap { try? Date($0, strategy: .iso8601) })
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
