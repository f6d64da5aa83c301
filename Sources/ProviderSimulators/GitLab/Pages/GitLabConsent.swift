extension ConsentForm.Choice {
    init(_ person: GitLabSimulator.Person, below prefix: String) {
        let marks = [
            person.confirmedAt == nil ? "not confirmed" : nil, person.state == .active ? nil : person.state.rawValue,
            person.isLocked ? "locked" : nil,
        ].compactMap(\.self)
        let address = person.email + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
        self.init(
            id: String(person.id), name: person.name, note: "@\(person.username) · \(address)",
            picturePath: "\(prefix)/uploads/user/avatar/\(person.id)")
    }
}

extension HTML {
    /// What the application will be able to do: at GitLab people take all of it or nothing.
    static func scopes(_ scopes: [String]) -> HTML {
        let rows: [HTML] = scopes.map { scope in
            "<dt><code>\(scope)</code></dt><dd>\(gitLabMeanings[scope] ?? "Further access")</dd>"
        }
        return "<h2>It will be able to</h2><dl>\(rows)</dl>"
    }

    private static let gitLabMeanings = [
        "openid": "Sign you in", "profile": "Read your profile", "email": "Read your primary address",
        "read_user": "Read everything in your profile", "read_api": "Read everything you can read",
        "api": "Do everything you can do",
    ]
}
