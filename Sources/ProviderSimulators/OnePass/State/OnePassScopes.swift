/// Scope lists: separated by spaces, `profile` being another name of `profile:basic`.
enum OnePassScopes {
    /// The scopes of a request, each once.
    static func parse(_ text: String?) -> [String] {
        union([], (text ?? "").split(separator: " ").map(String.init))
    }

    /// Both lists, each scope once, under its main name.
    static func union(_ first: [String], _ second: [String]) -> [String] {
        var seen: Set<String> = []
        return (first + second).map { $0 == "profile" ? "profile:basic" : $0 }.filter { seen.insert($0).inserted }
    }

    /// The permissions of a scope, for the consent page.
    static let meanings = [
        "openid": "Know who you are",
        "profile:basic": "See your names",
        "email": "See your e-mail address",
        "phone": "See your telephone number",
        "identity:level": "See how well 1Pass knows you",
        "profile:write": "Change your account",
        "offline_access": "Stay signed in",
    ]
}

/// The requested scopes under a client's allow-list.
struct OnePassScopeRequest: Sendable {
    /// The scopes that may be granted.
    let allowed: [String]
    /// The scopes beyond the list.
    let drift: [String]

    init(_ scopes: [String], by application: OnePassSimulator.Application) {
        let list = OnePassScopes.union([], application.allowedScopes)
        allowed = scopes.filter(list.contains)
        drift = scopes.filter { !list.contains($0) }
    }

    /// - Throws: `invalid_scope` when the client's policy is to block.
    func check(for application: OnePassSimulator.Application) throws(OAuthFailure) {
        guard application.scopePolicy == .block, !drift.isEmpty else { return }
        throw OAuthFailure("invalid_scope", "The application may not ask for \(drift.joined(separator: " ")).")
    }
}
