import HTTPTypes

/// `GET /`: who and what exists here; and the people's pictures.
struct GitHubStatusRoutes: Sendable {
    let core: GitHubCore

    func add(to routes: SimulatorRoutes<GitHubSimulator.Endpoint>) {
        routes.control(.get, "/") { [core] _ in
            GitHubStatusPage(github: core.snapshot, apiPath: core.apiPath).response
        }
        routes.control(.get, "/avatars/u/{id}") { [core] request in
            guard let person = request.pathParameters["id"].flatMap({ Int64($0) }).flatMap({ core.snapshot.person($0) })
            else { return GitHubNotFound.notFoundPage }
            return SimulatorAvatar(name: person.login, seed: person.id).response
        }
    }
}
