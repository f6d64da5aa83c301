/// What a newcomer sees who opens the simulator's address.
struct OnePassStatusPage {
    let onePass: OnePassState

    var response: SimulatorResponse {
        SimulatorPage(
            title: "1Pass",
            content: """
                <h1>Simulated 1Pass</h1>
                <dl>
                <dt>Issuer</dt><dd><code>\(onePass.issuer)</code></dd>
                <dt>Discovery</dt><dd><code>\(onePass.url)/.well-known/openid-configuration</code></dd>
                </dl>
                <h2>People</h2>
                \(onePass.people.map(row))
                <h2>Registered applications</h2>
                \(onePass.applications.map(row))
                <h2>Without a browser</h2>
                <p><code>curl \(onePass.url)/_simulator/tokens -H 'content-type: application/json' \
                -d '{"person":"\(onePass.people.first?.displayName ?? "")"}'</code></p>
                """
        ).response()
    }

    private func row(_ person: OnePassSimulator.Person) -> HTML {
        let survivor = onePass.survivor(of: person.id)
        let merged = survivor == person.id ? "" : ", part of \(survivor)"
        return """
            <p><strong>\(person.displayName)</strong> · \(person.fullName ?? "no full name") · sub \(person.subject)\
            \(merged)<br><small>\(person.note)</small></p>

            """
    }

    private func row(_ application: OnePassSimulator.Application) -> HTML {
        """
        <dl><dt>\(application.name) · \(application.type.rawValue)</dt>
        <dd>client ID <code>\(application.clientID)</code><br>
        callback <code>\(application.redirectURIs.joined(separator: " "))</code></dd></dl>

        """
    }
}
