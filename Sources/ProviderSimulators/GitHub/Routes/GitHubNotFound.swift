import ProviderKit

/// What GitHub says to requests nobody serves, in the manner of the part that was asked.
enum GitHubNotFound {
    static func response(to path: String, apiPath: String) -> SimulatorResponse {
        if path == apiPath || path.hasPrefix(apiPath + "/") { return GitHubAPI.error(404, "Not Found") }
        if path.hasPrefix("/login/oauth/access_token") || path.hasPrefix("/login/device/code") { return unknownClient }
        return notFoundPage
    }

    /// The token endpoint's answer to an unknown client or a wrong method.
    static let unknownClient = SimulatorResponse.json(["error": "Not Found"], status: 404)

    static let notFoundPage = SimulatorPage(
        title: "Page not found",
        content: "<h1>404</h1><p>This is not the web page you are looking for.</p>"
    ).response(status: 404)
}
