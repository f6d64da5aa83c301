import ProviderKit

/// GitHub's answers to requests for unknown paths and clients.
extension GitHubState {
    func notFound(_ path: String) -> SimulatorResponse? {
        if path == apiPath || path.hasPrefix(apiPath + "/") { return SimulatedGitHubAPI.error(404, "Not Found") }
        if path.hasPrefix(Self.tokenPath) || path.hasPrefix(Self.deviceCodePath) { return Self.unknownClient }
        return Self.notFoundPage
    }

    /// The token endpoint's answer to an unknown client or a wrong method.
    static let unknownClient = SimulatorResponse.json(["error": "Not Found"], status: 404)

    static let notFoundPage = SimulatorPage(
        title: "Page not found",
        content: "<h1>404</h1><p>This is not the web page you are looking for.</p>"
    ).response(status: 404)
}
