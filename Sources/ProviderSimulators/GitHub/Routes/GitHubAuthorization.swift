import Foundation
import HTTPTypes

/// `/login/oauth/authorize`.
///
/// The page is skipped when the browser has a session, the request names no scopes and does not insist on choosing an
/// account, and the user has granted the client something before; the earlier scopes are then reused.
extension GitHubState {
    mutating func authorize(_ request: SimulatorRequest) throws(Refusal) -> AuthorizationStep {
        let query = try request.queryFields()
        guard let application = application(query["client_id"]) else { throw Refusal(Self.notFoundPage) }
        let authorization = try authorization(query, for: application)
        let user = signedIn(request.cookie("simulator_session"))
        if query["prompt"] != "select_account", authorization.scopes?.isEmpty ?? true, let user,
            let granted = grants[.init(clientID: application.clientID, personID: user.id)]
        {
            return .answer(
                authorization.response.code(issueCode(for: authorization, to: user.id, scopes: granted)))
        }
        let selected = query["login"].flatMap { person(named: $0) } ?? user
        return .ask(authorization, clientName: application.name, selected: selected.map { String($0.id) })
    }

    mutating func grant(
        _ request: SimulatedAuthorizationRequest, to application: Application, by person: Person, _ form: FormFields
    ) -> SimulatorResponse {
        let key = GrantKey(clientID: request.clientID, personID: person.id)
        let scopes = request.scopes.map { selected($0, in: form) } ?? grants[key] ?? []
        return request.response.code(issueCode(for: request, to: person.id, scopes: scopes))
    }

    /// Errors go to the registered callback.
    func denial(of request: SimulatedAuthorizationRequest) -> SimulatorResponse {
        var response = request.response
        response.target = application(request.clientID)?.callbackURL ?? response.target
        return response.error(.accessDenied)
    }

    private func authorization(
        _ query: FormFields, for application: Application
    ) throws(Refusal) -> SimulatedAuthorizationRequest {
        var response = SimulatedAuthorizationResponse(
            target: application.callbackURL, state: query["state"], issuer: sentIssuer)
        guard !application.isSuspended else { throw Refusal(response.error(.applicationSuspended)) }
        guard let target = GitHubCallback(application: application).target(for: query["redirect_uri"]) else {
            throw Refusal(response.error(.redirectURIMismatch))
        }
        let challenge = options.checksCodeChallenge ? query["code_challenge"] : nil
        // RFC 7636 §4.4.1; GitHub takes nothing but S256.
        if challenge != nil, query["code_challenge_method"] != "S256" {
            throw Refusal(response.error(.unsupportedChallengeMethod))
        }
        response.target = target
        return SimulatedAuthorizationRequest(
            clientID: application.clientID, redirectURI: query["redirect_uri"], response: response,
            scopes: application.kind == .oauthApp ? SimulatedGitHubScopes.parse(query["scope"]) : [],
            codeChallenge: challenge.map { CodeChallenge(value: $0) })
    }

    private var sentIssuer: String? {
        switch issuerParameter {
        case .off: nil
        case .right: issuer
        case .wrong: "https://issuer.example.test/login/oauth"
        }
    }
}

extension SimulatedAuthorizationResponse {
    fileprivate func error(_ failure: GitHubOAuthFailure) -> SimulatorResponse {
        error(failure.code, failure.description, uri: failure.authorizationErrorURI)
    }
}
