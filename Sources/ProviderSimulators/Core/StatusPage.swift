import HTTPTypes

/// `GET /`: the users and clients that exist; and the users' pictures.
struct StatusPage<State: SimulatedProvider> {
    private let state: State

    /// Adds page and pictures to a provider's routes.
    static func add(to routes: ProviderRoutes<State>) {
        routes.control("/") { state, _ in StatusPage(state: state).response }
        routes.control(routes.core.read { $0.pages.picturePath } + "{id}") { state, request in
            guard let person = state.person(request.pathParameters["id"]) else {
                return state.notFound(request.recorded.path) ?? .text("Not found", status: 404)
            }
            return SimulatorAvatar(name: state.choice(person).name, seed: seed(of: String(person.id))).response
        }
    }

    private var response: SimulatorResponse {
        let pages = state.pages
        let facts: [HTML] = pages.facts.map { "<dt>\($0.name)</dt><dd><code>\($0.value)</code></dd>\n" }
        let example: HTML =
            pages.example.map { example in
                """
                <h2>Without a browser</h2>
                <p><code>curl \(example.url) -H 'content-type: application/json' -d '\(example.body)'</code></p>
                """
            } ?? ""
        return SimulatorPage(
            title: pages.title ?? pages.provider,
            content: """
                <h1>Simulated \(pages.heading ?? pages.title ?? pages.provider)</h1>
                <dl>
                \(facts)</dl>
                <h2>People</h2>
                \(state.people.map(state.row))
                <h2>\(pages.applicationsHeading)</h2>
                \(state.applications.map(state.row))
                \(example)
                """
        ).response()
    }

    private static func seed(of id: String) -> Int64 {
        Int64(id) ?? id.utf8.reduce(Int64(7)) { ($0 &* 31 &+ Int64($1)) % 1_000_003 }
    }
}
