import ProviderKit

/// Scope lists as Doorkeeper reads them.
enum GitLabScopes {
    /// The scope of an application that names none: GitLab's default.
    static let standard = ["api"]

    /// The meanings on the consent page.
    static let meanings = [
        "openid": "Sign you in", "profile": "Read your profile", "email": "Read your primary address",
        "read_user": "Read everything in your profile", "read_api": "Read everything you can read",
        "api": "Do everything you can do",
    ]

    /// Splits a request's scope list at spaces; `nil` when it names none.
    static func parse(_ text: String?) -> [String]? {
        let scopes = (text ?? "").split(separator: " ").map(String.init)
        return scopes.isEmpty ? nil : scopes
    }

    /// Both lists without repetitions, in the order of their appearance.
    static func union(_ first: [String], _ second: [String]) -> [String] {
        var seen: Set<String> = []
        return (first + second).filter { seen.insert($0).inserted }
    }

    /// Whether every scope asked for is ticked in the registration.
    static func areAllowed(_ scopes: [String], for application: GitLabSimulator.Application) -> Bool {
        scopes.allSatisfy { scope in application.scopes.contains { $0.hasSameBytes(as: scope) } }
    }

    /// The scopes of which a token needs one to read the user by the API.
    static let readingPeople = ["api", "read_user", "read_api"]
}
