import Foundation
import HTTPTypes

/// `/oauth/authorize`: the page on which a person decides, and its decision.
///
/// Nobody is asked when somebody is signed in (by the page's cookie), has granted the application all it asks for and the
/// request does not insist.
struct OnePassAuthorizeRoutes: Sendable {
    static let path = "/oauth/authorize"
    static let sessionCookie = "simulator_session"

    let core: OnePassCore

    func add(to routes: SimulatorRoutes<OnePassSimulator.Endpoint>) {
        routes.on(.get, Self.path, as: .authorize, answer: ask)
        routes.on(.post, Self.path, as: .authorize, answer: decide)
    }

    @Sendable
    private func ask(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let query = try request.queryFields()
        return try core.withState { state throws(Refusal) in
            let parsed = OnePassAuthorizationRequest(query, accepting: request.acceptedTypes)
            let (application, authorization) = try parsed.authorization(in: state, now: core.clock.now)
            let signedIn = request.cookie(Self.sessionCookie).flatMap { state.sessions[$0] }
            let answer = silent(authorization, signedIn: signedIn, prompts: parsed.prompts, &state)
            let response = answer ?? page(for: application, authorization, signedIn: signedIn, &state)
            return response.reporting(authorization.scopes.drift)
        }
    }

    /// The answer that needs no page: a code for somebody who agreed before, or the error `prompt=none` asks for.
    private func silent(
        _ authorization: OnePassAuthorization, signedIn: Int64?, prompts: Set<String>, _ state: inout OnePassState
    ) -> SimulatorResponse? {
        guard prompts.isDisjoint(with: ["login", "consent", "select_account"]) else { return nil }
        let key = signedIn.map { OnePassState.GrantKey(clientID: authorization.clientID, personID: $0) }
        let granted = Set(key.flatMap { state.grants[$0]?.scopes } ?? [])
        if let signedIn, granted.isSuperset(of: authorization.scopes.allowed) {
            return authorization.carrying(
                code: state.makeCode(
                    for: signedIn, scopes: authorization.scopes.allowed, answering: authorization, now: core.clock.now))
        }
        guard prompts.contains("none") else { return nil }
        return authorization.failing(OAuthFailure(signedIn == nil ? "login_required" : "consent_required"))
    }

    private func page(
        for application: OnePassSimulator.Application, _ authorization: OnePassAuthorization, signedIn: Int64?,
        _ state: inout OnePassState
    ) -> SimulatorResponse {
        let id = RandomText.hex(32)
        state.consents = state.consents.filter { $0.value.expiresAt > core.clock.now }
        state.consents[id] = authorization
        let form = ConsentForm(
            action: Self.path, reference: ("consent", id), people: state.people.map(ConsentForm.Choice.init),
            permissions: authorization.scopes.allowed.map(ConsentForm.Permission.init(onePassScope:)),
            preselected: signedIn.map { String($0) })
        return ConsentPage(provider: "1Pass", application: application.name, form: form).response
    }

    @Sendable
    private func decide(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        return core.withState { state in
            let now = core.clock.now
            guard let id = form["consent"], let authorization = state.consents.removeValue(forKey: id),
                authorization.expiresAt > now, let application = state.application(authorization.clientID)
            else { return SimulatorPage.expired }
            guard form["decision"] == "authorize" else {
                return authorization.failing(OAuthFailure("access_denied", "The person said no."))
            }
            guard let person = form["person"].flatMap({ Int64($0) }).flatMap({ state.person($0) }) else {
                return SimulatorPage.expired
            }
            guard !person.isAnonymous || application.allowsAnonymousGrants else {
                return authorization.failing(OAuthFailure("access_denied", "Anonymous accounts may not use it."))
            }
            let kept = form.all("scope")
            let code = state.makeCode(
                for: person.id, scopes: authorization.scopes.allowed.filter { kept.contains($0) },
                answering: authorization, now: now)
            var response = authorization.carrying(code: code).reporting(authorization.scopes.drift)
            let session = state.session(of: person.id)
            response.headers[.setCookie] = "\(Self.sessionCookie)=\(session); Path=/oauth; HttpOnly; SameSite=Lax"
            return response
        }
    }
}

extension OnePassAuthorization {
    func carrying(code: String) -> SimulatorResponse {
        CallbackURI(redirectURI).redirect(carrying: ["code": code, "state": state])
    }

    func failing(_ failure: OAuthFailure) -> SimulatorResponse {
        CallbackURI(redirectURI).redirect(carrying: failure.redirectFields(state: state))
    }
}

extension OAuthFailure {
    /// The error as the browser takes it back to the application.
    func redirectFields(state: String?) -> KeyValuePairs<String, String?> {
        [
            "error": code, "error_description": description, "error_uri": OnePassAPI.errorURI(code), "state": state,
        ]
    }
}

extension OnePassState {
    /// The session of a person who is signed in from now on.
    fileprivate mutating func session(of personID: Int64) -> String {
        let survivor = survivor(of: personID)
        let session = sessions.first { $0.value == survivor }?.key ?? RandomText.hex(32)
        sessions[session] = survivor
        return session
    }
}
