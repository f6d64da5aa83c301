import Foundation
import HTTPTypes
import ProviderKit

/// `/authorize`: the page on which a person decides, and its decision.
struct OpenIDAuthorizeRoutes: Sendable {
    private static let path = OpenIDSimulator.Endpoint.authorize.path

    let core: OpenIDCore

    func add(to routes: SimulatorRoutes<OpenIDSimulator.Endpoint>) {
        routes.on(.get, Self.path, as: .authorize, answer: ask)
        routes.on(.post, Self.path, as: .authorize, answer: decide)
    }

    @Sendable
    private func ask(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let query = try request.queryFields()
        return try core.withState { state throws(Refusal) in
            guard let application = state.application(query["client_id"]),
                let target = query["redirect_uri"].map(CallbackURI.init),
                application.redirectURIs.contains(where: target.equalsIgnoringLoopbackPort)
            else {
                // Nobody is sent to an address that is not registered (RFC 6749 §4.1.2.1).
                throw Refusal(.text("The client is unknown, or its redirect_uri is not registered.", status: 400))
            }
            do throws(OAuthFailure) {
                let authorization = try authorization(query, for: application, target, state)
                let id = RandomText.hex(32)
                state.consents = state.consents.filter { $0.value.expiresAt > core.clock.now }
                state.consents[id] = authorization
                let form = ConsentForm(
                    action: Self.path, reference: ("consent", id), people: state.people.map(ConsentForm.Choice.init),
                    permissions: authorization.scopes.map { .init(scope: $0, meaning: nil) },
                    preselected: query["login_hint"])
                return ConsentPage(provider: "OpenID provider", application: application.name, form: form).response
            } catch {
                return redirect(to: target, failing: error, echoing: query["state"], state)
            }
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
            let target = CallbackURI(authorization.redirectURI)
            guard form["decision"].map({ $0 == "authorize" }) ?? false, let person = state.person(form["person"])
            else {
                let failure = OAuthFailure("access_denied", "The person said no.")
                return redirect(to: target, failing: failure, echoing: authorization.state, state)
            }
            let kept = form.all("scope")
            let code = state.makeCode(
                OpenIDCode(
                    clientID: authorization.clientID, subject: person.subject, redirectURI: authorization.redirectURI,
                    scopes: authorization.scopes.filter { kept.contains($0) },
                    codeChallenge: authorization.codeChallenge, nonce: authorization.nonce,
                    expiresAt: now.addingTimeInterval(OpenIDCode.lifetime)), now: now)
            return target.redirect(carrying: [
                "code": code, "state": authorization.state, "iss": issuer(state),
            ])
        }
    }

    private func authorization(
        _ query: FormFields, for application: OpenIDSimulator.Application, _ target: CallbackURI,
        _ state: OpenIDState
    ) throws(OAuthFailure) -> OpenIDAuthorization {
        if let lie = state.lies.authorizationError { throw lie }
        guard query["response_type"] == "code" else { throw OAuthFailure("unsupported_response_type") }
        let scopes = (query["scope"] ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        guard core.options.mode == .oauth2 || scopes.contains("openid") else {
            throw OAuthFailure("invalid_scope", "openid is missing.")
        }
        let challenge = query["code_challenge"]
        guard challenge == nil || !core.options.quirks.contains(.refusesCodeChallenge) else {
            throw OAuthFailure("invalid_request", "code_challenge is not a known parameter.")
        }
        guard challenge == nil || query["code_challenge_method"] == "S256" else {
            throw OAuthFailure("invalid_request", "code_challenge_method must be S256.")
        }
        guard challenge != nil || !core.options.requiresCodeChallenge else {
            throw OAuthFailure("invalid_request", "code_challenge is missing.")
        }
        return OpenIDAuthorization(
            clientID: application.clientID, redirectURI: target.text, scopes: scopes, state: query["state"],
            codeChallenge: challenge.map { CodeChallenge(value: $0) }, nonce: query["nonce"],
            expiresAt: core.clock.now.addingTimeInterval(600))
    }

    private func redirect(
        to target: CallbackURI, failing failure: OAuthFailure, echoing state: String?, _ memory: OpenIDState
    ) -> SimulatorResponse {
        target.redirect(carrying: [
            "error": failure.code, "error_description": failure.description, "state": state, "iss": issuer(memory),
        ])
    }

    private func issuer(_ state: OpenIDState) -> String? {
        switch state.lies.issuerParameter {
        case .off, .missing: nil
        case .right: core.options.mode == .oauth2 ? nil : state.url
        case .other(let issuer): issuer
        }
    }
}

extension ConsentForm.Choice {
    init(_ person: OpenIDSimulator.Person) {
        self.init(
            id: person.subject, name: person.name, note: person.claims["email"]?.string ?? person.subject,
            picturePath: "/pictures/" + FormEncoding.encode(person.subject))
    }
}
