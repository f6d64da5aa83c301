import Foundation
import HTTPTypes
import ProviderKit

/// `/authorize`.
extension OpenIDState {
    func authorize(_ request: SimulatorRequest) throws(Refusal) -> AuthorizationStep {
        let query = try request.queryFields()
        guard let application = application(query["client_id"]), let target = query["redirect_uri"],
            application.redirectURIs.contains(where: CallbackURI(target).equalsIgnoringLoopbackPort)
        else {
            // Not redirectable (RFC 6749 §4.1.2.1).
            throw Refusal(.text("The client is unknown, or its redirect_uri is not registered.", status: 400))
        }
        let response = SimulatedAuthorizationResponse(target: target, state: query["state"], issuer: sentIssuer)
        do throws(OAuthFailure) {
            let authorization = try authorization(query, for: application, response)
            return .ask(authorization, clientName: application.name, selected: query["login_hint"])
        } catch {
            return .answer(response.error(error))
        }
    }

    mutating func grant(
        _ request: SimulatedAuthorizationRequest, to application: Application, by person: Person, _ form: FormFields
    ) -> SimulatorResponse {
        let scopes = selected(request.scopes ?? [], in: form)
        return request.response.code(issueCode(for: request, to: person.subject, scopes: scopes))
    }

    func denial(of request: SimulatedAuthorizationRequest) -> SimulatorResponse {
        request.response.error("access_denied", "The person said no.")
    }

    private func authorization(
        _ query: FormFields, for application: Application, _ response: SimulatedAuthorizationResponse
    ) throws(OAuthFailure) -> SimulatedAuthorizationRequest {
        if let lie = lies.authorizationError { throw lie }
        guard query["response_type"] == "code" else { throw OAuthFailure("unsupported_response_type") }
        let scopes = (query["scope"] ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        guard options.mode == .oauth2 || scopes.contains("openid") else {
            throw OAuthFailure("invalid_scope", "openid is missing.")
        }
        let challenge = query["code_challenge"]
        guard challenge == nil || !options.quirks.contains(.refusesCodeChallenge) else {
            throw .invalidRequest("code_challenge is not a known parameter.")
        }
        guard challenge == nil || query["code_challenge_method"] == "S256" else {
            throw .invalidRequest("code_challenge_method must be S256.")
        }
        guard challenge != nil || !options.requiresCodeChallenge else {
            throw .invalidRequest("code_challenge is missing.")
        }
        return SimulatedAuthorizationRequest(
            clientID: application.clientID, redirectURI: response.target, response: response, scopes: scopes,
            nonce: query["nonce"], codeChallenge: challenge.map { CodeChallenge(value: $0) })
    }

    private var sentIssuer: String? {
        switch lies.issuerParameter {
        case .off, .missing: nil
        case .right: options.mode == .oauth2 ? nil : url
        case .other(let issuer): issuer
        }
    }
}
