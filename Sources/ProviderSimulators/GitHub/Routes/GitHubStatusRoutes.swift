import Foundation
import HTTPTypes

/// `GET /`: who and what exists here; and the people's pictures.
struct GitHubStatusRoutes: Sendable {
    let core: GitHubCore

    func add(to routes: SimulatorRoutes<GitHubSimulator.Endpoint>) {
        routes.control(.get, "/") { [core] _ in
            StatusPage(github: core.snapshot, apiPath: core.apiPath).response
        }
        routes.control(.get, "/avatars/u/{id}") { [core] request in
            guard let person = request.pathParameters["id"].flatMap({ Int64($0) }).flatMap({ core.snapshot.person($0) })
            else { return GitHubNotFound.notFoundPage }
            return Self.avatar(of: person)
        }
    }

    /// The initial on a colour that goes with the identifier.
    private static func avatar(of person: GitHubSimulator.Person) -> SimulatorResponse {
        let image: HTML = """
            <svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">
            <rect width="96" height="96" fill="hsl(\(abs(person.id % 360)) 45% 38%)"/>
            <text x="48" y="64" font-family="system-ui,sans-serif" font-size="48" fill="#fff" text-anchor="middle">\
            \(person.login.prefix(1).uppercased())</text></svg>
            """
        var response = SimulatorResponse(status: 200, contentType: "image/svg+xml", body: Array(image.markup.utf8))
        response.headers[.contentSecurityPolicy] = "default-src 'none'"
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}
