/// Sends the browser back to the application.
struct GitHubRedirect {
    let target: String
    let state: String?
    let issuer: String?

    init(to target: String, echoing state: String?, from github: GitHubState) {
        self.target = target
        self.state = state
        issuer =
            switch github.issuerParameter {
            case .off: nil
            case .right: github.issuer
            case .wrong: "https://issuer.example.test/login/oauth"
            }
    }

    func carrying(code: String) -> SimulatorResponse {
        CallbackURI(target).redirect(carrying: ["code": code, "state": state, "iss": issuer])
    }

    func failing(_ failure: GitHubOAuthFailure) -> SimulatorResponse {
        CallbackURI(target).redirect(carrying: [
            "error": failure.code, "error_description": failure.description,
            "error_uri": failure.authorizationErrorURI, "state": state, "iss": issuer,
        ])
    }
}
