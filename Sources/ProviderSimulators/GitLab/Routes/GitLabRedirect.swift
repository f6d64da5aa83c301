import HTTPTypes

/// Sends the browser back to the application.
struct GitLabRedirect {
    private let authorization: GitLabAuthorization
    private let issuer: String?

    init(_ authorization: GitLabAuthorization, in gitlab: GitLabState) {
        self.authorization = authorization
        issuer =
            switch gitlab.issuerParameter {
            case .off: nil
            case .right: gitlab.url
            case .wrong: "https://gitlab.example.test"
            }
    }

    func carrying(code: String) -> SimulatorResponse {
        redirect(["code": code, "state": authorization.state, "iss": issuer])
    }

    func failing(_ failure: OAuthFailure) -> SimulatorResponse {
        redirect([
            "error": failure.code, "error_description": failure.description, "state": authorization.state,
            "iss": issuer,
        ])
    }

    private func redirect(_ fields: KeyValuePairs<String, String?>) -> SimulatorResponse {
        CallbackURI(authorization.redirectURI).redirect(carrying: fields, in: authorization.place)
    }

    /// The page with status 200 that takes the browser where `redirect` would.
    static func page(for redirect: SimulatorResponse) -> SimulatorResponse {
        let target = redirect.headers[.location] ?? ""
        return SimulatorPage(
            title: "Redirecting",
            content: """
                <meta http-equiv="refresh" content="0; url=\(target)">
                <h1>Redirecting</h1>
                <p><a href="\(target)">Click here to redirect to the application</a></p>
                """
        ).response()
    }
}
