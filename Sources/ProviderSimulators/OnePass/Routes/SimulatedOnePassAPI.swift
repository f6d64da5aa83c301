import HTTPTypes
import ProviderKit

/// The rules of all answers: errors name their request and a page about them.
enum SimulatedOnePassAPI {
    private static let documentation = "https://docs.1pass.dev/oauth/errors"

    /// The answer to requests for unknown paths.
    static let notFound = SimulatorResponse.json(["error": "not_found"], status: 404)

    /// The page about an error.
    static func errorURI(_ code: String) -> String { "\(documentation)#\(code)" }

    /// Calls a handler; a failure becomes an answer.
    static func answer(
        _ state: inout OnePassState, _ handler: (inout OnePassState) throws(OAuthFailure) -> SimulatorResponse
    ) -> SimulatorResponse {
        do throws(OAuthFailure) {
            return try handler(&state)
        } catch {
            return response(to: error, url: state.url)
        }
    }

    /// An error with its request ID and the addresses of its documentation.
    static func response(to failure: OAuthFailure, url: String) -> SimulatorResponse {
        let requestID = "req_" + RandomText.alphanumeric(20)
        var members = failure.json
        members["error_uri"] = .string(errorURI(failure.code))
        members["request_id"] = .string(requestID)
        var response = SimulatorResponse.json(.object(members), status: failure.status).uncached
        response.headers[.wwwAuthenticate] = failure.challenge
        response.headers[text: "X-Logi-Request-Id"] = requestID
        response.headers[text: "X-Logi-Console-Url"] = "\(url)/#\(requestID)"
        if failure.status == 429 { response.headers[.retryAfter] = "3600" }
        return response
    }
}

extension OAuthFailure {
    /// The answer to an invalid or foreign bearer token (RFC 6750 §3.1).
    static let onePassInvalidToken = OAuthFailure(
        "invalid_token", "The token is unknown, expired or of another kind.", status: 401,
        challenge: #"Bearer error="invalid_token""#)

    static func invalidClient(_ description: String) -> OAuthFailure {
        OAuthFailure("invalid_client", description, status: 401, challenge: #"Basic realm="1Pass""#)
    }
}

extension SimulatorResponse {
    /// Names the requested scopes that are not on the client's list.
    func reporting(_ drift: [String]) -> SimulatorResponse {
        guard !drift.isEmpty else { return self }
        var response = self
        response.headers[text: "X-Logi-Scope-Drift"] = drift.joined(separator: " ")
        return response
    }
}

extension OnePassState {
    /// The authenticated client of a request, by its registered method.
    func client(_ presented: PresentedClient) throws(OAuthFailure) -> OnePassSimulator.Application {
        guard !presented.usesTwoMechanisms else {
            throw .invalidRequest("Send the client secret in the header or in the body.")
        }
        guard let application = application(presented.basic?.id ?? presented.bodyID) else {
            throw .invalidClient("Nobody is registered under this client_id.")
        }
        if let id = presented.bodyID, !id.hasSameBytes(as: application.clientID) {
            throw .invalidClient("Header and body name two clients.")
        }
        let secret = presented.basic?.secret ?? presented.bodySecret
        switch application.type {
        case .public where secret != nil: throw .invalidClient("A public client must not send a secret.")
        case .public: return application
        case .confidential:
            guard let secret, secret.hasSameBytes(as: application.clientSecret ?? "") else {
                throw .invalidClient("The client secret is missing or wrong.")
            }
            return application
        }
    }
}
