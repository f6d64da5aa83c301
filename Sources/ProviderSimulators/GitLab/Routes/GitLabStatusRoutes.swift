import HTTPTypes

/// `GET /`: who and what exists here; and the people's pictures.
struct GitLabStatusRoutes: Sendable {
    let core: GitLabCore

    func add(to routes: SimulatorRoutes<GitLabSimulator.Endpoint>) {
        routes.control(.get, "/") { [core] _ in GitLabStatusPage(gitlab: core.snapshot).response }
        routes.control(.get, core.prefix + "/uploads/user/avatar/{id}") { [core] request in
            guard let person = request.pathParameters["id"].flatMap({ Int64($0) }).flatMap({ core.snapshot.person($0) })
            else { return GitLabNotFound.response(to: request.recorded.path) }
            return SimulatorAvatar(name: person.username, seed: person.id).response
        }
    }
}
