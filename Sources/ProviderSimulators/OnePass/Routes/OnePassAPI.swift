import HTTPTypes
import ProviderKit

/// What the answers of 1Pass have in common: errors name the request they belong to and a page about them.
enum OnePassAPI {
    private static let documentation = "https://docs.1pass.dev/oauth/errors"

    /// What is said to requests for paths nobody serves.
    static let notFound = SimulatorResponse.json(["error": "not_found"], status: 404)

    /// The page about an error.
    static func errorURI(_ code: String) -> String { "\(documentation)#\(code)" }

    /// Carries out a handler; a failure becomes an answer.
    static func answer(
        _ core: OnePassCore, _ handler: () throws(OAuthFailure) -> SimulatorResponse
    ) -> SimulatorResponse {
        do {
            return try handler()
        } catch {
            return response(to: error, url: core.snapshot.url)
        }
    }

    /// An error with the number of the request and where its developer finds more about it.
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
    /// What a dead or foreign bearer token gets (RFC 6750 §3.1).
    static let onePassInvalidToken = OAuthFailure(
        "invalid_token", "The token is unknown, expired or of another kind.", status: 401,
        challenge: #"Bearer error="invalid_token""#)

    static func invalidClient(_ description: String) -> OAuthFailure {
        OAuthFailure("invalid_client", description, status: 401, challenge: #"Basic realm="1Pass""#)
    }
}

extension SimulatorResponse {
    /// Names the scopes that were asked for and are not on the application's list.
    func reporting(_ drift: [String]) -> SimulatorResponse {
        guard !drift.isEmpty else { return self }
        var response = self
        response.headers[text: "X-Logi-Scope-Drift"] = drift.joined(separator: " ")
        return response
    }
}

extension OnePassState {
    /// The client behind a request, once it has proved itself in the way it is registered for.
    func client(_ presented: PresentedClient) throws(OAuthFailure) -> OnePassSimulator.Application {
        guard !presented.usesTwoMechanisms else {
            throw .invalidRequest("Send the client secret in the header or in the body.")
        }
        guard let application = application(presented.basic?.id ?? presented.bodyID) else {
            throw .invalidClient("Nobody is registered under this client_id.")
        }
        if let id = presented.bodyID, !id.utf8.elementsEqual(application.clientID.utf8) {
            throw .invalidClient("Header and body name two clients.")
        }
        let secret = presented.basic?.secret ?? presented.bodySecret
        switch application.type {
        case .public where secret != nil: throw .invalidClient("A public client must not send a secret.")
        case .public: return application
        case .confidential:
            guard let secret, secret.utf8.elementsEqual((application.clientSecret ?? "").utf8) else {
                throw .invalidClient("The client secret is missing or wrong.")
            }
            return application
        }
    }
}
