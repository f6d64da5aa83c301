import HTTPTypes

/// `GET /`: who and what exists here; and the people's pictures.
struct OnePassStatusRoutes: Sendable {
    let core: OnePassCore

    func add(to routes: SimulatorRoutes<OnePassSimulator.Endpoint>) {
        routes.control(.get, "/") { [core] _ in OnePassStatusPage(onePass: core.snapshot).response }
        routes.control(.get, "/pictures/{id}") { [core] request in
            guard let person = request.pathParameters["id"].flatMap({ Int64($0) }).flatMap({ core.snapshot.person($0) })
            else { return OnePassAPI.notFound }
            return SimulatorAvatar(name: person.displayName, seed: person.id).response
        }
    }
}
