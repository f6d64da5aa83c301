import HTTPTypes
import ProviderKit

/// `GET /`: who and what exists here; and the people's pictures.
struct OpenIDStatusRoutes: Sendable {
    let core: OpenIDCore

    func add(to routes: SimulatorRoutes<OpenIDSimulator.Endpoint>) {
        routes.control(.get, "/") { _ in page(core.snapshot) }
        routes.control(.get, "/pictures/{subject}") { request in
            guard let person = core.snapshot.person(request.pathParameters["subject"]) else {
                return .text("Not found", status: 404)
            }
            let seed = person.subject.utf8.reduce(Int64(7)) { ($0 &* 31 &+ Int64($1)) % 1_000_003 }
            return SimulatorAvatar(name: person.name, seed: seed).response
        }
    }

    private func page(_ state: OpenIDState) -> SimulatorResponse {
        let people: [HTML] = state.people.map { person in
            let note = person.claims["email"]?.string ?? "no address"
            return """
                <p><strong>\(person.name)</strong> · \(note)<br><small>sub <code>\(person.subject)</code></small></p>

                """
        }
        let applications: [HTML] = state.applications.map { application in
            """
            <dl><dt>\(application.name) · \(application.authentication.method)</dt><dd>client ID \
            <code>\(application.clientID)</code><br>redirect URIs \
            <code>\(application.redirectURIs.joined(separator: " "))</code></dd></dl>

            """
        }
        let kind = core.options.mode == .oauth2 ? "OAuth 2 server" : "OpenID provider"
        return SimulatorPage(
            title: kind,
            content: """
                <h1>Simulated \(kind)</h1>
                <dl><dt>Issuer</dt><dd><code>\(state.url)</code></dd></dl>
                <h2>People</h2>
                \(people)
                <h2>Registered applications</h2>
                \(applications)
                """
        ).response()
    }
}
