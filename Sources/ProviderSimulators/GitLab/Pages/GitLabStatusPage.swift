/// What a newcomer sees who opens the simulator's address.
struct GitLabStatusPage {
    let gitlab: GitLabState

    var response: SimulatorResponse {
        SimulatorPage(
            title: "GitLab",
            content: """
                <h1>Simulated GitLab</h1>
                <dl>
                <dt>Installation</dt><dd><code>\(gitlab.url)</code></dd>
                <dt>REST API</dt><dd><code>\(gitlab.url)/api/v4</code></dd>
                </dl>
                <h2>People</h2>
                \(gitlab.people.map(row))
                <h2>Registered applications</h2>
                \(gitlab.applications.map(row))
                <h2>Without a browser</h2>
                <p><code>curl \(origin)/_simulator/access-tokens -H 'content-type: application/json' \
                -d '{"username":"\(gitlab.people.first?.username ?? "")"}'</code></p>
                """
        ).response()
    }

    /// The control interface stands at the root, wherever the installation does.
    private var origin: String { gitlab.url.split(separator: "/").prefix(2).joined(separator: "//") }

    private func row(_ person: GitLabSimulator.Person) -> HTML {
        let marks = [
            person.confirmedAt == nil ? "not confirmed" : "confirmed",
            person.state == .active ? nil : person.state.rawValue, person.isLocked ? "locked" : nil,
        ].compactMap(\.self)
        return """
            <p><strong>\(person.username)</strong> · \(person.name) · id \(person.id)<br>
            <small>\(person.email) (\(marks.joined(separator: ", ")))</small></p>

            """
    }

    private func row(_ application: GitLabSimulator.Application) -> HTML {
        let addresses: [HTML] = application.redirectURIs.map { "<br>redirect URI <code>\($0)</code>" }
        return """
            <dl><dt>\(application.name) · \(application.isConfidential ? "confidential" : "public")</dt>
            <dd>application ID <code>\(application.clientID)</code>\(addresses)</dd></dl>

            """
    }
}
