/// Scopes as GitHub reads and writes them.
enum SimulatedGitHubScopes {
    /// The scopes that a scope implies; implied scopes vanish from the granted list.
    private static let implied: [String: Set<String>] = [
        "user": ["read:user", "user:email", "user:follow"],
        "repo": ["public_repo", "repo:status", "repo_deployment", "repo:invite", "security_events"],
        "admin:org": ["write:org", "read:org"],
        "write:org": ["read:org"],
        "admin:public_key": ["write:public_key", "read:public_key"],
        "write:public_key": ["read:public_key"],
        "admin:repo_hook": ["write:repo_hook", "read:repo_hook"],
        "write:repo_hook": ["read:repo_hook"],
        "admin:gpg_key": ["write:gpg_key", "read:gpg_key"],
        "write:gpg_key": ["read:gpg_key"],
        "write:packages": ["read:packages"],
    ]

    /// The meanings on the consent page.
    static let meanings = [
        "user": "Read and change the profile, read all e-mail addresses",
        "read:user": "Read the profile",
        "user:email": "Read all e-mail addresses",
        "user:follow": "Follow people",
        "read:org": "Read memberships in organisations",
        "repo": "Read and change repositories",
        "gist": "Write gists",
    ]

    /// Splits a request's scope list at spaces and commas; `nil` when it names none.
    static func parse(_ text: String?) -> [String]? {
        let scopes = (text ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        return scopes.isEmpty ? nil : scopes
    }

    /// Without repetitions and without what another scope implies, in the order asked.
    static func normalised(_ scopes: [String]) -> [String] {
        let covered = scopes.reduce(into: Set<String>()) { $0.formUnion(implied[$1] ?? []) }
        var seen: Set<String> = []
        return scopes.filter { !covered.contains($0) && seen.insert($0).inserted }
    }

    /// Whether `scopes` hold `scope`, itself or implied.
    static func contains(_ scope: String, in scopes: [String]) -> Bool {
        scopes.contains { $0 == scope || implied[$0]?.contains(scope) == true }
    }
}
