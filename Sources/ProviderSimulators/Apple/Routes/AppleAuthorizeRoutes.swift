import Foundation
import HTTPTypes

/// `/auth/authorize`: the page on which a person decides, and its decision.
///
/// What is wrong with a request is told to the person on a page of Apple's; only a decision goes back to the site.
struct AppleAuthorizeRoutes: Sendable {
    static let path = "/auth/authorize"
    private static let pageLifetime: TimeInterval = 600

    let core: AppleCore

    func add(to routes: SimulatorRoutes<AppleSimulator.Endpoint>) {
        routes.on(.get, Self.path, as: .authorize) { request in
            let query = try request.queryFields()
            do throws(OAuthFailure) {
                return try ask(query)
            } catch {
                return ApplePages.problem(error)
            }
        }
        routes.on(.post, Self.path, as: .authorize, answer: decide)
    }

    private func ask(_ query: FormFields) throws(OAuthFailure) -> SimulatorResponse {
        let now = core.clock.now
        return try core.withState { state throws(OAuthFailure) in
            guard let application = state.application(query["client_id"]), application.kind == .web else {
                throw .invalidClient
            }
            let authorization = try Self.authorization(query, for: application, now: now)
            let id = RandomText.hex(32)
            state.pages = state.pages.filter { $0.value.expiresAt > now }
            state.pages[id] = authorization
            return ApplePages.consent(id: id, application: application, authorization, state)
        }
    }

    @Sendable
    private func decide(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        let now = core.clock.now
        let authorization = core.withState { state in
            form["consent"].flatMap { state.pages.removeValue(forKey: $0) }
        }
        guard let authorization, authorization.expiresAt > now else { return SimulatorPage.expired }
        let answer = AppleConsentAnswer(core: core, authorization: authorization)
        guard form["decision"] == "authorize" else { return answer.response(answer.cancelled) }
        guard let person = core.snapshot.person(form["person"]) else { return SimulatorPage.expired }
        let hidesEmail = ["hide": true, "share": false][form["email"] ?? ""]
        return answer.response(answer.granted(by: person.id, hidesEmail: hidesEmail))
    }

    private static func authorization(
        _ query: FormFields, for application: AppleSimulator.Application, now: Date
    ) throws(OAuthFailure) -> AppleAuthorization {
        guard let redirectURI = query["redirect_uri"],
            application.returnURLs.contains(where: CallbackURI(redirectURI).equalsIgnoringLoopbackPort)
        else { throw .invalidRequest("Invalid web redirect url.") }
        let types = Set((query["response_type"] ?? "").split(separator: " "))
        guard types == ["code"] || types == ["code", "id_token"] else {
            throw OAuthFailure("unsupported_response_type")
        }
        let scopes = (query["scope"] ?? "").split(separator: " ").map(String.init)
        guard scopes.allSatisfy(["name", "email", "openid"].contains) else { throw .invalidScope }
        guard let mode = AppleAuthorization.ResponseMode(rawValue: query["response_mode"] ?? "query") else {
            throw .invalidRequest("Invalid response mode.")
        }
        guard mode == .formPost || !scopes.contains(where: ["name", "email"].contains) else {
            throw .invalidRequest("response_mode must be form_post when name or email scope is requested.")
        }
        guard mode != .query || types == ["code"] else { throw .invalidRequest("Invalid response mode.") }
        return AppleAuthorization(
            clientID: application.clientID, redirectURI: redirectURI, mode: mode,
            wantsIDToken: types.contains("id_token"), scopes: scopes, state: query["state"], nonce: query["nonce"],
            expiresAt: now.addingTimeInterval(pageLifetime))
    }
}
