import HTTPTypes
import ProviderKit

/// An error of an OAuth endpoint that speaks RFC 6749 §5.2: JSON, with a status that means something.
struct OAuthFailure: Error, Sendable, Equatable {
    let code: String
    let description: String?
    var status = 400
    /// The `WWW-Authenticate` field, where the answer is a challenge.
    var challenge: String?

    init(_ code: String, _ description: String? = nil, status: Int = 400, challenge: String? = nil) {
        self.code = code
        self.description = description
        self.status = status
        self.challenge = challenge
    }

    /// A code or refresh token that is worth nothing, and why (RFC 6749 §5.2).
    static func invalidGrant(_ description: String) -> OAuthFailure { OAuthFailure("invalid_grant", description) }

    /// A request with something missing or malformed in it, and what (RFC 6749 §5.2).
    static func invalidRequest(_ description: String) -> OAuthFailure { OAuthFailure("invalid_request", description) }

    /// The error as an object; without a description, the code alone.
    var json: JSONObject {
        var members: JSONObject = ["error": .string(code)]
        members["error_description"] = description.map(JSONValue.string)
        return members
    }

    /// The error as an endpoint answers it, never cached (RFC 6749 §5.1).
    var response: SimulatorResponse {
        var response = SimulatorResponse.json(.object(json), status: status).uncached
        response.headers[.wwwAuthenticate] = challenge
        return response
    }
}

extension SimulatorResponse {
    /// The same answer with the fields that keep tokens out of caches (RFC 6749 §5.1).
    var uncached: SimulatorResponse {
        var response = self
        response.headers[.cacheControl] = "no-store"
        response.headers[text: "Pragma"] = "no-cache"
        return response
    }
}
