/// `POST /login/oauth/access_token`: redeems codes, refresh tokens and device codes for access tokens.
extension GitHubState {
    mutating func answerTokenRequest(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let client = Client(try request.parameters(), request)
        let answer: GitHubOAuthAnswer
        do {
            answer = GitHubOAuthAnswer(try token(for: client))
        } catch let failure as GitHubOAuthFailure {
            answer = GitHubOAuthAnswer(failure)
        }
        return answer.response(accepting: request.acceptedTypes)
    }

    private mutating func token(for client: Client) throws -> GitHubToken {
        if client.grantType == "urn:ietf:params:oauth:grant-type:device_code" {
            guard let application = application(client.id) else {
                throw GitHubOAuthFailure.incorrectClientCredentials
            }
            return try redeemDevice(client.form["device_code"], for: application)
        }
        guard let application = application(client.id) else { throw Refusal(Self.unknownClient) }
        if client.grantType == "refresh_token" {
            return try refresh(
                client.form["refresh_token"] ?? "", for: application, authenticated: client.proves(application))
        }
        guard client.proves(application) else { throw GitHubOAuthFailure.incorrectClientCredentials }
        guard let code = client.form["code"] else {
            let isCodeGrant = [nil, "authorization_code"].contains(client.grantType)
            throw isCodeGrant ? GitHubOAuthFailure.badVerificationCode : .unsupportedGrantType
        }
        return try redeem(
            code, for: application, redirectURI: client.form["redirect_uri"], verifier: client.form["code_verifier"])
    }

    /// The client of a token request, by the body or by `Authorization: Basic`.
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
            application.clientSecret.hasSameBytes(as: secret)
        }
    }
}
