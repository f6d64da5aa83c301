/// What a newcomer sees who opens the simulator's address.
struct AppleStatusPage {
    let apple: AppleState

    var response: SimulatorResponse {
        SimulatorPage(
            title: "Apple",
            content: """
                <h1>Simulated Sign in with Apple</h1>
                <dl>
                <dt>Endpoints</dt><dd><code>\(apple.url)/auth/…</code></dd>
                <dt>Team</dt><dd><code>\(apple.teamID)</code></dd>
                <dt>Keys</dt><dd><code>\(apple.keys.keys.sorted().joined(separator: ", "))</code></dd>
                </dl>
                <h2>People</h2>
                \(apple.people.map(row))
                <h2>Registered clients</h2>
                \(apple.applications.map(row))
                <h2>Without a browser</h2>
                <p><code>curl \(apple.url)/_simulator/native-credentials -H 'content-type: application/json' \
                -d '{"givenName":"\(apple.people.first?.givenName ?? "")","rawNonce":"n"}'</code></p>
                """
        ).response()
    }

    private func row(_ person: AppleSimulator.Person) -> HTML {
        let note = person.hidesEmail ? "hidden from apps" : person.isEmailVerified ? "verified" : "not verified"
        let address: HTML = person.email.map { "\($0) (\(note))" } ?? "managed account without address"
        return "<p><strong>\(person.name)</strong><br><small>\(address)</small></p>\n"
    }

    private func row(_ application: AppleSimulator.Application) -> HTML {
        let isWeb = application.kind == .web
        let returns: HTML = isWeb ? "<br>returns to <code>\(application.returnURLs.joined(separator: ", "))</code>" : ""
        return """
            <dl><dt>\(application.name) · \(isWeb ? "Services ID" : "App ID")</dt>
            <dd>client ID <code>\(application.clientID)</code>\(returns)</dd></dl>

            """
    }
}
