import Foundation
import HTTPTypes

/// `/login/oauth/authorize`: the page on which a person decides, and its decision.
///
/// Nobody is asked when somebody is signed in (by the page's cookie), the request names no scopes and does not insist on
/// choosing an account, and the person has granted the application something before; the earlier scopes are then reused.
struct GitHubAuthorizeRoutes: Sendable {
    static let path = "/login/oauth/authorize"
    static let sessionCookie = "simulator_session"

    let core: GitHubCore

    func add(to routes: SimulatorRoutes<GitHubSimulator.Endpoint>) {
        routes.on(.get, Self.path, as: .authorize, answer: ask)
        routes.on(.post, Self.path, as: .authorize, answer: decide)
    }

    @Sendable
    private func ask(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let query = try request.queryFields()
        return try core.withState { state throws(Refusal) in
            guard let application = state.application(query["client_id"]) else {
                throw Refusal(GitHubNotFound.notFoundPage)
            }
            let authorization = try authorization(query, for: application, state)
            if query["prompt"] != "select_account",
                let response = reuse(authorization, session: request.cookie(Self.sessionCookie), &state)
            {
                return response
            }
            let id = RandomText.hex(32)
            state.consents = state.consents.filter { $0.value.expiresAt > core.clock.now }
            state.consents[id] = authorization
            let signedIn = request.cookie(Self.sessionCookie).flatMap { state.sessions[$0] }
            let form = ConsentForm(
                action: Self.path, reference: ("consent", id), people: state.people.map(ConsentForm.Choice.init),
                permissions: (authorization.scopes ?? []).map(ConsentForm.Permission.init(gitHubScope:)),
                preselected: (query["login"].flatMap { state.person(login: $0)?.id } ?? signedIn).map { String($0) })
            return ConsentPage(provider: "GitHub", application: application.name, form: form).response
        }
    }

    @Sendable
    private func decide(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        return core.withState { state in
            let now = core.clock.now
            guard let id = form["consent"], let authorization = state.consents.removeValue(forKey: id),
                authorization.expiresAt > now
            else { return SimulatorPage.expired }
            let answer = GitHubRedirect(to: authorization.target, echoing: authorization.state, from: state)
            guard form["decision"] == "authorize" else {
                return GitHubRedirect(to: authorization.registered, echoing: authorization.state, from: state)
                    .failing(.accessDenied)
            }
            guard let person = form["person"].flatMap({ Int64($0) }).flatMap({ state.person($0) }) else {
                return SimulatorPage.expired
            }
            let asked = authorization.scopes ?? state.grants[authorization.key(person.id)] ?? []
            let kept = form.all("scope")
            let scopes = authorization.scopes == nil ? asked : asked.filter { kept.contains($0) }
            var response = answer.carrying(code: state.makeCode(for: authorization, person.id, scopes, now: now))
            let session = state.session(of: person.id)
            response.headers[.setCookie] = "\(Self.sessionCookie)=\(session); Path=/login; HttpOnly; SameSite=Lax"
            return response
        }
    }

    /// Reads the request; what is wrong with it goes to the registered callback.
    private func authorization(
        _ query: FormFields, for application: GitHubSimulator.Application, _ state: GitHubState
    ) throws(Refusal) -> GitHubAuthorization {
        let answer = GitHubRedirect(to: application.callbackURL, echoing: query["state"], from: state)
        guard !application.isSuspended else { throw Refusal(answer.failing(.applicationSuspended)) }
        guard let target = GitHubCallback(application: application).target(for: query["redirect_uri"]) else {
            throw Refusal(answer.failing(.redirectURIMismatch))
        }
        let challenge = core.options.checksCodeChallenge ? query["code_challenge"] : nil
        // RFC 7636 §4.4.1; GitHub takes nothing but S256.
        if challenge != nil, query["code_challenge_method"] != "S256" {
            throw Refusal(answer.failing(.unsupportedChallengeMethod))
        }
        return GitHubAuthorization(
            clientID: application.clientID, redirectURI: query["redirect_uri"], target: target,
            registered: application.callbackURL,
            scopes: application.kind == .oauthApp ? GitHubScopes.parse(query["scope"]) : [], state: query["state"],
            codeChallenge: challenge, expiresAt: core.clock.now.addingTimeInterval(GitHubCode.lifetime))
    }

    private func reuse(
        _ authorization: GitHubAuthorization, session: String?, _ state: inout GitHubState
    ) -> SimulatorResponse? {
        guard authorization.scopes?.isEmpty ?? true, let personID = session.flatMap({ state.sessions[$0] }),
            state.person(personID) != nil, let granted = state.grants[authorization.key(personID)]
        else { return nil }
        let code = state.makeCode(for: authorization, personID, granted, now: core.clock.now)
        return GitHubRedirect(to: authorization.target, echoing: authorization.state, from: state).carrying(code: code)
    }
}

extension GitHubAuthorization {
    fileprivate func key(_ personID: Int64) -> GitHubState.GrantKey {
        GitHubState.GrantKey(clientID: clientID, personID: personID)
    }
}

extension GitHubState {
    /// The session of a person who is signed in from now on.
    fileprivate mutating func session(of personID: Int64) -> String {
        let session = sessions.first { $0.value == personID }?.key ?? RandomText.hex(32)
        sessions[session] = personID
        return session
    }

    fileprivate mutating func makeCode(
        for authorization: GitHubAuthorization, _ personID: Int64, _ scopes: [String], now: Date
    ) -> String {
        makeCode(
            authorization.key(personID), redirectURI: authorization.redirectURI, scopes: scopes,
            codeChallenge: authorization.codeChallenge, now: now)
    }
}
