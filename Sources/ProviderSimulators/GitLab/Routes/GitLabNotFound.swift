import ProviderKit

/// GitLab's own pages: errors that do not go back to the client.
extension GitLabState {
    func notFound(_ path: String) -> SimulatorResponse? {
        if path.contains("/api/v4") { return .json(["error": "404 Not Found"], status: 404) }
        return SimulatorPage(
            title: "Not Found",
            content: """
                <h1>404: Page not found</h1>
                <p>Make sure the address is correct and the page has not moved.</p>
                """
        ).response(status: 404)
    }

    static let redirectProblem = problemPage(
        OAuthFailure(
            "invalid_redirect_uri", "The redirect URI included is not valid. Register the address of the application."))

    /// Shows the user the error of a request.
    static func problemPage(_ failure: OAuthFailure, status: Int = 400) -> SimulatorResponse {
        SimulatorPage(
            title: "An error has occurred",
            content: """
                <h1>An error has occurred</h1>
                <p class="problem" role="alert">\(failure.description ?? failure.code)</p>
                """
        ).response(status: status)
    }

    /// The page for a user whose account may not be used.
    func deviceProblem(of person: Person, _ application: Application) -> SimulatorResponse? {
        let problem: String? =
            if person.confirmedAt == nil {
                "Verify the email address in your account profile before you sign in."
            } else if person.isLocked {
                "Your account is locked."
            } else if person.state != .active {
                "Your account has been blocked. Contact your GitLab administrator if you think this is an error."
            } else {
                nil
            }
        return problem.map { Self.problemPage(OAuthFailure("unusable_account", $0), status: 403) }
    }
}
