/// The form in which a user selects an account and scopes.
struct ConsentForm {
    /// A user to continue as.
    struct Choice {
        /// The value that the form sends.
        let id: String
        let name: String
        /// A note that distinguishes users of one name, such as the address.
        let note: String
        /// The path of the picture, on this server.
        let picturePath: String
    }

    /// A scope that the user may deselect.
    struct Permission {
        let scope: String
        let meaning: String?
    }

    /// The path that the form is posted to.
    let action: String
    /// The binding of the decision to the request, as a hidden field.
    let reference: (name: String, value: String)
    let people: [Choice]
    var permissions: [Permission] = []
    /// The id of the preselected user; the first user where it is unknown.
    var preselected: String?
    /// The provider's further fields, between permissions and buttons.
    var extra: HTML = ""

    var html: HTML {
        """
        <form method="post" action="\(action)">
        <input type="hidden" name="\(reference.name)" value="\(reference.value)">
        <fieldset><legend>Continue as</legend>
        \(people.enumerated().map { row($1, isFirst: $0 == 0) })
        </fieldset>
        \(permissions.isEmpty ? "" : permissionRows)
        \(extra)
        <div class="buttons">
        <button class="go" name="decision" value="authorize">Authorize</button>
        <button name="decision" value="cancel" formnovalidate>Cancel</button>
        </div>
        </form>
        """
    }

    private func row(_ person: Choice, isFirst: Bool) -> HTML {
        let isKnown = people.contains { $0.id == preselected }
        let checked: HTML = (isKnown ? person.id == preselected : isFirst) ? " checked" : ""
        return """
            <label class="row"><input type="radio" name="person" value="\(person.id)" required\(checked)>
            <img src="\(person.picturePath)" alt=""><span>\(person.name)<br>
            <small>\(person.note)</small></span></label>

            """
    }

    private var permissionRows: HTML {
        let rows: [HTML] = permissions.map { permission in
            """
            <label class="row"><input type="checkbox" name="scope" value="\(permission.scope)" checked>
            <span><code>\(permission.scope)</code><br><small>\(permission.meaning ?? "Further access")</small></span>\
            </label>

            """
        }
        return "<fieldset><legend>Permissions</legend>\(rows)</fieldset>"
    }
}

/// The page that asks a user for consent to a client.
struct ConsentPage {
    /// The provider that is simulated.
    let provider: String
    /// The application's name.
    let application: String
    let form: ConsentForm

    var response: SimulatorResponse {
        SimulatorPage(
            title: "Authorize \(application)",
            content: """
                <h1>Let \(application) sign you in?</h1>
                <p class="soft">It will learn who you are at this simulated \(provider). Take permissions away to see \
                how it copes.</p>
                \(form.html)
                """
        ).response()
    }
}
