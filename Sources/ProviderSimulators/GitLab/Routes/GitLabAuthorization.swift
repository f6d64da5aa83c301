import Foundation
import HTTPTypes
import ProviderKit

/// `/oauth/authorize`.
///
/// The page is skipped when the browser has a session and the client is trusted or holds a grant of these scopes. As at
/// GitLab, a page with status 200 then takes the browser back, not a redirect.
extension GitLabState {
    mutating func authorize(_ request: SimulatorRequest) throws(Refusal) -> AuthorizationStep {
        let query = try request.queryFields()
        let (authorization, application) = try authorization(query)
        let (scopes, response) = (authorization.scopes ?? [], authorization.response)
        let user = signedIn(request.cookie(Self.sessionCookie))
        let prompts = (query["prompt"] ?? "").split(separator: " ")
        if let user, prompts.allSatisfy({ $0 == "none" }),
            application.isTrusted || hasGranted(scopes, application, user)
        {
            let redirect = response.code(issueCode(for: authorization, to: user.id, scopes: scopes))
            return .answer(options.showsRedirectPage ? Self.page(for: redirect) : redirect)
        }
        guard !prompts.contains("none") else {
            return .answer(response.error(user == nil ? GitLabFailure.loginRequired : GitLabFailure.consentRequired))
        }
        let selected = query["login_hint"].flatMap { person(hint: $0) } ?? user
        return .ask(authorization, clientName: application.name, selected: selected.map { String($0.id) })
    }

    mutating func grant(
        _ request: SimulatedAuthorizationRequest, to application: Application, by person: Person, _ form: FormFields
    ) throws(Refusal) -> SimulatorResponse {
        if let problem = deviceProblem(of: person, application) { throw Refusal(problem) }
        return request.response.code(issueCode(for: request, to: person.id, scopes: request.scopes ?? []))
    }

    func denial(of request: SimulatedAuthorizationRequest) -> SimulatorResponse {
        request.response.error(GitLabFailure.accessDenied)
    }

    /// Reads the request in GitLab's order of checks. An unknown client or redirect URI is shown to the user; every
    /// later error goes to the client.
    private func authorization(_ query: FormFields) throws(Refusal) -> (SimulatedAuthorizationRequest, Application) {
        guard let application = application(query["client_id"]) else {
            throw Refusal(Self.problemPage(GitLabFailure.invalidClient, status: 401))
        }
        guard let redirectURI = query["redirect_uri"],
            application.redirectURIs.contains(where: CallbackURI(redirectURI).equalsIgnoringLoopbackPort)
        else { throw Refusal(Self.redirectProblem) }
        let place: CallbackURI.Place? =
            switch query["response_mode"] {
            case nil, "query": .query
            case "fragment": .fragment
            default: nil
            }
        // `gl_auth_type=login` asks for nothing but the profile, whatever the scopes say.
        let scopes =
            query["gl_auth_type"] == "login"
            ? ["read_user"] : GitLabScopes.parse(query["scope"]) ?? GitLabScopes.standard
        let authorization = SimulatedAuthorizationRequest(
            clientID: application.clientID, redirectURI: redirectURI,
            response: SimulatedAuthorizationResponse(
                target: redirectURI, place: place ?? .query, state: query["state"], issuer: sentIssuer),
            scopes: scopes, nonce: query["nonce"], codeChallenge: Self.challenge(query))
        let failure: OAuthFailure? =
            if query["response_type"] == nil {
                GitLabFailure.missing("response_type")
            } else if query["response_type"] != "code" {
                GitLabFailure.unsupportedResponseType
            } else if place == nil {
                GitLabFailure.unsupportedResponseMode
            } else if !GitLabScopes.areAllowed(scopes, for: application) {
                GitLabFailure.invalidScope
            } else if query["code_challenge"] != nil, authorization.codeChallenge == nil {
                GitLabFailure.invalidChallengeMethod
            } else {
                nil
            }
        if let failure { throw Refusal(authorization.response.error(failure)) }
        return (authorization, application)
    }

    /// RFC 7636 §4.3; GitLab wants the method named.
    private static func challenge(_ query: FormFields) -> CodeChallenge? {
        guard let value = query["code_challenge"], !value.isEmpty,
            let method = query["code_challenge_method"].flatMap(CodeChallenge.Method.init)
        else { return nil }
        return CodeChallenge(value: value, method: method)
    }

    private var sentIssuer: String? {
        switch issuerParameter {
        case .off: nil
        case .right: url
        case .wrong: "https://gitlab.example.test"
        }
    }

    private func hasGranted(_ scopes: [String], _ application: Application, _ user: Person) -> Bool {
        let granted = grants[GrantKey(clientID: application.clientID, personID: user.id)]
        return granted.map { scopes.allSatisfy($0.contains) } ?? false
    }

    private func person(hint: String) -> Person? {
        person(named: hint) ?? people.first { $0.email.lowercased() == hint.lowercased() }
    }

    /// The page with status 200 that takes the browser where `redirect` would.
    private static func page(for redirect: SimulatorResponse) -> SimulatorResponse {
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
