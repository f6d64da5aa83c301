/// The form with which a person says who they are and what they allow.
struct ConsentForm {
    /// Where the form goes.
    let action: String
    /// What ties the decision to the request, as a hidden field.
    let reference: (name: String, value: String)
    let scopes: [String]
    let people: [GitHubSimulator.Person]
    let preselected: Int64?

    var html: HTML {
        """
        <form method="post" action="\(action)">
        <input type="hidden" name="\(reference.name)" value="\(reference.value)">
        <fieldset><legend>Continue as</legend>
        \(people.enumerated().map { row($1, isFirst: $0 == 0) })
        </fieldset>
        \(scopes.isEmpty ? "" : permissions)
        <div class="buttons">
        <button class="go" name="decision" value="authorize">Authorize</button>
        <button name="decision" value="cancel" formnovalidate>Cancel</button>
        </div>
        </form>
        """
    }

    private func row(_ person: GitHubSimulator.Person, isFirst: Bool) -> HTML {
        let isKnown = people.contains { $0.id == preselected }
        let checked: HTML = (isKnown ? person.id == preselected : isFirst) ? " checked" : ""
        let email = person.emails.first(where: \.primary)
        let note = email.map { $0.address + ($0.verified ? "" : " (not verified)") } ?? "no address"
        return """
            <label class="row"><input type="radio" name="person" value="\(person.id)" required\(checked)>
            <img src="/avatars/u/\(person.id)" alt=""><span>\(person.name ?? person.login)<br>
            <small>\(person.login) · \(note)</small></span></label>

            """
    }

    private var permissions: HTML {
        let rows: [HTML] = scopes.map { scope in
            """
            <label class="row"><input type="checkbox" name="scope" value="\(scope)" checked>
            <span><code>\(scope)</code><br><small>\(Self.meanings[scope] ?? "Further access")</small></span></label>

            """
        }
        return "<fieldset><legend>Permissions</legend>\(rows)</fieldset>"
    }

    private static let meanings = [
        "user": "Read and change the profile, read all e-mail addresses",
        "read:user": "Read the profile",
        "user:email": "Read all e-mail addresses",
        "user:follow": "Follow people",
        "read:org": "Read memberships in organisations",
        "repo": "Read and change repositories",
        "gist": "Write gists",
    ]
}
