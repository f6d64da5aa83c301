import Foundation
import ProviderKit

/// The calls that identify a token's user: the token info, the API's user, and userinfo for tokens without API scope.
struct GitLabAPI: Sendable {
    let url: String
    let clientID: String
    let upstream: any Upstream

    init(url: String, clientID: String, context: ProviderContext) {
        self.url = url
        self.clientID = clientID
        upstream = GitLabUpstream(upstream: context.upstream, now: context.now)
        now = context.now
    }

    private let now: @Sendable () -> Date

    /// Whether one of the scopes allows `/api/v4/user`.
    static func canReadUser(_ scopes: [String]) -> Bool {
        scopes.contains { ["read_user", "read_api", "api"].contains($0) }
    }

    /// Checks the user and the application that `token` was issued to. Personal access tokens have no application.
    ///
    /// - Returns: The token as a grant of ours, and its owner's id.
    func info(_ token: String) async throws(ProviderError) -> (grant: UpstreamGrant, owner: String) {
        let response = try await upstream.send(
            UpstreamRequest(.get, url + "/oauth/token/info", at: .introspect).bearer(token))
        guard response.status == 200 else {
            guard (400..<500).contains(response.status) else { throw response.refusal(at: .introspect) }
            throw ProviderError(.credential, at: .introspect, "GitLab does not know the token")
        }
        let info = try response.decode(GitLabTokenInfo.self, at: .introspect)
        guard let uid = info.application?.uid, uid.utf8.elementsEqual(clientID.utf8) else {
            throw ProviderError(.credential, at: .introspect, "the token was issued to another application")
        }
        guard let owner = info.ownerID else {
            throw ProviderError(.credential, at: .introspect, "the token has no user")
        }
        let grant = UpstreamGrant(
            clientID: clientID, accessToken: token, scopes: info.scopes,
            expiresAt: info.expiresIn.map { now().addingTimeInterval(Double(min(max($0, 0), 86_400))) })
        return (grant, String(owner))
    }

    /// The user of a token of ours, from the best source that its scopes allow. The token info and the profile must
    /// have the same user.
    func identity(
        of grant: UpstreamGrant, expecting subject: String?
    ) async throws(ProviderError) -> ExternalIdentity {
        let identity = Self.canReadUser(grant.scopes) ? try await user(grant) : try await userinfo(grant)
        guard subject == nil || subject == identity.subject else {
            throw ProviderError(.credential, at: .fetchProfile, "the token and the profile have different users")
        }
        return identity
    }

    /// `GET /api/v4/user`: the only source of the account's state and of its confirmed address.
    private func user(_ grant: UpstreamGrant) async throws(ProviderError) -> ExternalIdentity {
        let response = try await ask("/api/v4/user", grant)
        let user = try response.decode(GitLabUser.self, at: .readProfile)
        guard user.state == "active", user.locked != true else {
            throw ProviderError(.credential, at: .readProfile, "the account is blocked, deactivated or locked")
        }
        return ExternalIdentity(
            subject: String(user.id), email: user.primaryEmail, displayName: user.name ?? user.username,
            screenName: user.username, pictureURL: user.avatarURL.flatMap(absolute),
            profile: try response.jsonValue(at: .readProfile), grant: grant)
    }

    /// `GET /oauth/userinfo`, which returns only usable accounts. Without the scope `email` it returns the public
    /// profile's address, which is not verified.
    private func userinfo(_ grant: UpstreamGrant) async throws(ProviderError) -> ExternalIdentity {
        let response = try await ask("/oauth/userinfo", grant)
        let claims = try response.decode(GitLabClaims.self, at: .readProfile)
        let email = grant.scopes.contains("email") ? claims.email : nil
        return claims.identity(email: email, profile: try response.jsonValue(at: .readProfile), grant: grant)
    }

    private func ask(_ path: String, _ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamResponse {
        let response = try await upstream.send(
            UpstreamRequest(.get, url + path, at: .fetchProfile).bearer(grant.accessToken))
        guard response.status == 200 else { throw response.refusal(at: .fetchProfile) }
        return response
    }

    /// Older installations return picture URLs relative to their host.
    private func absolute(_ picture: String) -> String? {
        URL(string: picture, relativeTo: URL(string: url + "/"))?.absoluteString
    }
}
