import HTTPTypes

/// `POST /login/oauth/access_token`: codes, refresh tokens and device codes become access tokens.
struct GitHubTokenRoutes: Sendable {
    static let path = "/login/oauth/access_token"

    let core: GitHubCore

    func add(to routes: SimulatorRoutes<GitHubSimulator.Endpoint>) {
        routes.on(.post, Self.path, as: .accessToken, answer: answer)
    }

    @Sendable
    private func answer(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let client = Client(try request.parameters(), request)
        let answer: GitHubOAuthAnswer
        do {
            answer = GitHubOAuthAnswer(try token(for: client))
        } catch let failure as GitHubOAuthFailure {
            answer = GitHubOAuthAnswer(failure)
        }
        return answer.response(accepting: request.acceptedTypes)
    }

    private func token(for client: Client) throws -> GitHubToken {
        try core.withState { state throws(any Error) in
            let now = core.clock.now
            if client.grantType == "urn:ietf:params:oauth:grant-type:device_code" {
                guard let application = state.application(client.id) else {
                    throw GitHubOAuthFailure.incorrectClientCredentials
                }
                return try state.pollDevice(client.form["device_code"] ?? "", for: application, now: now)
            }
            guard let application = state.application(client.id) else { throw Refusal(GitHubNotFound.unknownClient) }
            if client.grantType == "refresh_token" {
                return try state.refresh(
                    client.form["refresh_token"] ?? "", for: application, authenticated: client.proves(application),
                    now: now)
            }
            guard client.proves(application) else { throw GitHubOAuthFailure.incorrectClientCredentials }
            guard let code = client.form["code"] else {
                let isCodeGrant = [nil, "authorization_code"].contains(client.grantType)
                throw isCodeGrant ? GitHubOAuthFailure.badVerificationCode : .unsupportedGrantType
            }
            return try state.redeem(
                code, for: application, redirectURI: client.form["redirect_uri"],
                verifier: client.form["code_verifier"], now: now)
        }
    }

    /// Who asks, by the body or by `Authorization: Basic`.
    private struct Client {
        let id: String?
        let secret: String?
        let form: FormFields

        init(_ form: FormFields, _ request: SimulatorRequest) {
            let basic = request.basicCredentials
            id = form["client_id"] ?? basic?.user
            secret = form["client_secret"] ?? basic?.password
            self.form = form
        }

        var grantType: String? { form["grant_type"] }

        func proves(_ application: GitHubSimulator.Application) -> Bool {
            secret?.utf8.elementsEqual(application.clientSecret.utf8) ?? false
        }
    }
}
