import Foundation
import HTTPTypes
import ProviderKit

/// `/oauth/authorize`: the page on which a person decides, and its decision.
///
/// Nobody is asked when somebody is signed in (by the page's cookie) and the application is trusted or holds a grant of
/// these scopes already. As at GitLab, such people are sent back by a page with status 200, not by a redirect.
struct GitLabAuthorizeRoutes: Sendable {
    static let path = "/oauth/authorize"
    static let sessionCookie = "simulator_gitlab_session"

    let core: GitLabCore

    func add(to routes: SimulatorRoutes<GitLabSimulator.Endpoint>) {
        routes.on(.get, core.prefix + Self.path, as: .authorize, answer: ask)
        routes.on(.post, core.prefix + Self.path, as: .authorize, answer: decide)
    }

    @Sendable
    private func ask(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let query = try request.queryFields()
        let now = core.clock.now
        return try core.withState { state throws(Refusal) in
            let reading = GitLabAuthorizationRequest(query: query, state: state, now: now)
            let (authorization, application) = try reading.authorization()
            let session = request.cookie(Self.sessionCookie)
            let signedIn = session.flatMap { state.sessions[$0] }.flatMap { state.person($0) }
            let prompts = (query["prompt"] ?? "").split(separator: " ")
            let redirect = GitLabRedirect(authorization, in: state)
            if let person = signedIn, prompts.allSatisfy({ $0 == "none" }),
                application.isTrusted || state.hasGranted(authorization.scopes, authorization.key(person.id))
            {
                let response = redirect.carrying(code: state.makeCode(for: authorization, person.id, now: now))
                return core.options.showsRedirectPage ? GitLabRedirect.page(for: response) : response
            }
            guard !prompts.contains("none") else {
                let failure = signedIn == nil ? GitLabFailure.loginRequired : GitLabFailure.consentRequired
                throw Refusal(redirect.failing(failure))
            }
            let id = RandomText.hex(32)
            state.consents = state.consents.filter { $0.value.expiresAt > now }
            state.consents[id] = authorization
            let preselected = query["login_hint"].flatMap { state.person(hint: $0) } ?? signedIn
            return consentPage(id, authorization, application, state, preselected: preselected)
        }
    }

    private func consentPage(
        _ id: String, _ authorization: GitLabAuthorization, _ application: GitLabSimulator.Application,
        _ state: GitLabState, preselected: GitLabSimulator.Person?
    ) -> SimulatorResponse {
        let form = ConsentForm(
            action: core.prefix + Self.path, reference: ("consent", id),
            people: state.people.map { ConsentForm.Choice($0, below: core.prefix) },
            // GitLab's page is all or nothing.
            permissions: [], preselected: preselected.map { String($0.id) },
            extra: .scopes(authorization.scopes))
        return ConsentPage(provider: "GitLab", application: application.name, form: form).response
    }

    @Sendable
    private func decide(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        return core.withState { state in
            let now = core.clock.now
            guard let id = form["consent"], let authorization = state.consents.removeValue(forKey: id),
                authorization.expiresAt > now
            else { return SimulatorPage.expired }
            let redirect = GitLabRedirect(authorization, in: state)
            guard form["decision"] == "authorize" else { return redirect.failing(GitLabFailure.accessDenied) }
            guard let person = form["person"].flatMap({ Int64($0) }).flatMap({ state.person($0) }) else {
                return SimulatorPage.expired
            }
            if let page = GitLabNotFound.signInProblem(of: person) { return page }
            var response = redirect.carrying(code: state.makeCode(for: authorization, person.id, now: now))
            let session = state.session(of: person.id)
            response.headers[.setCookie] =
                "\(Self.sessionCookie)=\(session); Path=\(core.prefix)/; HttpOnly; SameSite=Lax"
            return response
        }
    }
}

extension GitLabState {
    /// The session of a person who is signed in from now on.
    fileprivate mutating func session(of personID: Int64) -> String {
        let session = sessions.first { $0.value == personID }?.key ?? RandomText.hex(32)
        sessions[session] = personID
        return session
    }

    fileprivate func hasGranted(_ scopes: [String], _ key: GrantKey) -> Bool {
        grants[key].map { granted in scopes.allSatisfy(granted.contains) } ?? false
    }

    fileprivate func person(hint: String) -> GitLabSimulator.Person? {
        person(username: hint) ?? people.first { $0.email.lowercased() == hint.lowercased() }
    }

    fileprivate mutating func makeCode(
        for authorization: GitLabAuthorization, _ personID: Int64, now: Date
    ) -> String {
        makeCode(
            authorization.key(personID), redirectURI: authorization.redirectURI, scopes: authorization.scopes,
            nonce: authorization.nonce, codeChallenge: authorization.codeChallenge, now: now)
    }
}
