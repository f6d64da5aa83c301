/// What a newcomer sees who opens the simulator's address.
struct GitHubStatusPage {
    let github: GitHubState
    let apiPath: String

    var response: SimulatorResponse {
        SimulatorPage(
            title: "GitHub",
            content: """
                <h1>Simulated GitHub</h1>
                <dl>
                <dt>OAuth endpoints</dt><dd><code>\(github.url)/login/oauth/…</code></dd>
                <dt>REST API</dt><dd><code>\(github.url)\(apiPath)</code></dd>
                </dl>
                <h2>People</h2>
                \(github.people.map(row))
                <h2>Registered applications</h2>
                \(github.applications.map(row))
                <h2>Without a browser</h2>
                <p><code>curl \(github.url)/_simulator/access-tokens -H 'content-type: application/json' \
                -d '{"login":"\(github.people.first?.login ?? "")"}'</code></p>
                """
        ).response()
    }

    private func row(_ person: GitHubSimulator.Person) -> HTML {
        let addresses: [HTML] = person.emails.map { email in
            let marks = [email.primary ? "primary" : nil, email.verified ? "verified" : "not verified"]
            return "<br><small>\(email.address) (\(marks.compactMap(\.self).joined(separator: ", ")))</small>"
        }
        return "<p><strong>\(person.login)</strong> · \(person.name ?? "no name") · id \(person.id)\(addresses)</p>\n"
    }

    private func row(_ application: GitHubSimulator.Application) -> HTML {
        let kind = application.kind == .oauthApp ? "OAuth app" : "GitHub App"
        return """
            <dl><dt>\(application.name) · \(kind)</dt><dd>client ID <code>\(application.clientID)</code><br>
            callback <code>\(application.callbackURL)</code></dd></dl>

            """
    }
}
