extension ConsentForm.Choice {
    init(_ person: GitHubSimulator.Person) {
        let email = person.emails.first(where: \.primary)
        let address = email.map { $0.address + ($0.verified ? "" : " (not verified)") } ?? "no address"
        self.init(
            id: String(person.id), name: person.name ?? person.login, note: "\(person.login) · \(address)",
            picturePath: "/avatars/u/\(person.id)")
    }
}

extension ConsentForm.Permission {
    init(gitHubScope scope: String) {
        self.init(scope: scope, meaning: Self.gitHubMeanings[scope])
    }

    private static let gitHubMeanings = [
        "user": "Read and change the profile, read all e-mail addresses",
        "read:user": "Read the profile",
        "user:email": "Read all e-mail addresses",
        "user:follow": "Follow people",
        "read:org": "Read memberships in organisations",
        "repo": "Read and change repositories",
        "gist": "Write gists",
    ]
}
