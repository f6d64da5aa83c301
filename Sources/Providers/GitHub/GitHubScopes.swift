import ProviderKit

/// Scopes as GitHub lists them: separated by commas, and without those that another one implies.
enum GitHubScopes {
    /// The scopes that a scope of sign-ins implies. GitHub leaves implied scopes out of every list.
    private static let implied: [String: [String]] = [
        "user": ["read:user", "user:email", "user:follow"],
        "admin:org": ["write:org", "read:org"],
        "write:org": ["read:org"],
        "repo": ["public_repo", "repo:status", "repo_deployment", "repo:invite", "security_events"],
    ]

    /// The scopes of a list.
    static func parse(_ list: String) -> [String] {
        list.split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// The scopes with those they imply, so that a comparison with requested ones finds what the user denied.
    static func complete(_ scopes: [String]) -> [String] {
        let all = scopes + scopes.flatMap { implied[$0] ?? [] }
        var seen: Set<String> = []
        return all.filter { seen.insert($0).inserted }
    }
}

extension UpstreamGrant {
    /// The grant with the scopes that GitHub lists for its token now.
    func having(_ scopes: [String]) -> UpstreamGrant {
        UpstreamGrant(
            clientID: clientID, accessToken: accessToken, refreshToken: refreshToken, idToken: idToken,
            scopes: GitHubScopes.complete(scopes), expiresAt: expiresAt)
    }
}
