import Foundation
import ProviderKit

/// `/oauth/authorize`.
///
/// The page is skipped when the browser has a session, the user has granted the client all requested scopes and the
/// request does not insist.
extension OnePassState {
    mutating func authorize(_ request: SimulatorRequest) throws(Refusal) -> AuthorizationStep {
        let query = try request.queryFields()
        let wantsJSON = request.acceptedTypes.first == "application/json"
        guard let application = application(query["client_id"]) else {
            throw refusal("invalid_client", "There is no such application.", asJSON: wantsJSON)
        }
        guard let redirectURI = query["redirect_uri"],
            application.redirectURIs.contains(where: { CallbackURI(redirectURI).equals($0) })
        else {
            throw refusal(
                "invalid_redirect_uri", "The application is not registered for this address.", asJSON: wantsJSON)
        }
        let response = SimulatedAuthorizationResponse(
            target: redirectURI, state: query["state"], issuer: behaviour.namesIssuerInResponses ? issuer : nil)
        let scopes = OnePassScopeRequest(OnePassScopes.parse(query["scope"]), by: application)
        let authorization = SimulatedAuthorizationRequest(
            clientID: application.clientID, redirectURI: redirectURI, response: response, scopes: scopes.allowed,
            excludedScopes: scopes.drift, nonce: query["nonce"],
            codeChallenge: query["code_challenge"].map { CodeChallenge(value: $0) })
        do throws(OAuthFailure) {
            try Self.check(query)
            try scopes.check(for: application)
        } catch {
            let back = Self.error(error, to: response)
            throw Refusal(error.code == "invalid_scope" ? back.reporting(scopes.drift) : back)
        }
        let user = signedIn(request.cookie("simulator_session"))
        let prompts = Set((query["prompt"] ?? "").split(separator: " ").map(String.init))
        if let answer = silent(authorization, for: user, prompts: prompts) {
            return .answer(annotated(answer, for: authorization))
        }
        return .ask(authorization, clientName: application.name, selected: user.map { String($0.id) })
    }

    /// The answer that needs no page: a code for an earlier grant, or the error that `prompt=none` asks for.
    private mutating func silent(
        _ request: SimulatedAuthorizationRequest, for user: Person?, prompts: Set<String>
    ) -> SimulatorResponse? {
        guard prompts.isDisjoint(with: ["login", "consent", "select_account"]) else { return nil }
        let (scopes, key) = (request.scopes ?? [], user.map { GrantKey(clientID: request.clientID, personID: $0.id) })
        if let key, Set(grants[key]?.scopes ?? []).isSuperset(of: scopes) {
            return request.response.code(issueCode(for: request, to: key.personID, scopes: scopes))
        }
        guard prompts.contains("none") else { return nil }
        return Self.error(OAuthFailure(user == nil ? "login_required" : "consent_required"), to: request.response)
    }

    mutating func grant(
        _ request: SimulatedAuthorizationRequest, to application: Application, by person: Person, _ form: FormFields
    ) throws(Refusal) -> SimulatorResponse {
        guard application.admits(person) else {
            throw Refusal(
                Self.error(
                    OAuthFailure("access_denied", "Anonymous accounts may not use it."), to: request.response))
        }
        let scopes = selected(request.scopes ?? [], in: form)
        return request.response.code(issueCode(for: request, to: person.id, scopes: scopes))
    }

    func denial(of request: SimulatedAuthorizationRequest) -> SimulatorResponse {
        Self.error(OAuthFailure("access_denied", "The person said no."), to: request.response)
    }

    func annotated(_ response: SimulatorResponse, for request: SimulatedAuthorizationRequest) -> SimulatorResponse {
        response.reporting(request.excludedScopes)
    }

    private static func error(_ failure: OAuthFailure, to response: SimulatedAuthorizationResponse) -> SimulatorResponse
    {
        response.error(failure.code, failure.description, uri: SimulatedOnePassAPI.errorURI(failure.code))
    }

    private static func check(_ query: FormFields) throws(OAuthFailure) {
        guard query["response_type"] == "code" else { throw .invalidRequest("response_type must be code.") }
        guard let state = query["state"], !state.isEmpty else { throw .invalidRequest("state is required.") }
        guard query["code_challenge_method"] == "S256", let challenge = query["code_challenge"],
            challenge.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil
        else { throw .invalidRequest("PKCE is required: code_challenge with code_challenge_method=S256.") }
        guard !OnePassScopes.parse(query["scope"]).isEmpty else { throw .invalidRequest("scope is required.") }
    }

    private func refusal(_ code: String, _ description: String, asJSON: Bool) -> Refusal {
        if asJSON { return Refusal(SimulatedOnePassAPI.response(to: OAuthFailure(code, description), url: url)) }
        return Refusal(
            SimulatorPage(
                title: "This sign-in cannot go on",
                content: "<h1>This sign-in cannot go on</h1><p>\(description)</p><p><code>\(code)</code></p>"
            ).response(status: 400))
    }
}

extension OnePassSimulator.Application {
    /// Whether a user may use the client.
    func admits(_ person: OnePassSimulator.Person) -> Bool { !person.isAnonymous || allowsAnonymousGrants }
}
