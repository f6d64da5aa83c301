import HTTPTypes

/// `GET /`: who and what exists here; and the people's pictures.
struct AppleStatusRoutes: Sendable {
    let core: AppleCore

    func add(to routes: SimulatorRoutes<AppleSimulator.Endpoint>) {
        routes.control(.get, "/") { [core] _ in AppleStatusPage(apple: core.snapshot).response }
        routes.control(.get, "/avatars/{id}") { [core] request in
            guard let person = core.snapshot.person(request.pathParameters["id"]) else { return ApplePages.notFound }
            let seed = person.id.utf8.reduce(Int64(0)) { ($0 &* 31 &+ Int64($1)) % 360 }
            return SimulatorAvatar(name: person.name, seed: seed).response
        }
    }
}
