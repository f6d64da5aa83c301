import HTTPTypes
import ProviderKit

/// The errors of Apple's endpoints (RFC 6749 §5.2). Descriptions come with some of them only.
extension OAuthFailure {
    /// Whatever is wrong with the client or its secret: Apple gives no reason.
    static let invalidClient = Self("invalid_client")
    static let invalidScope = Self("invalid_scope")
    static let unsupportedGrantType = Self("unsupported_grant_type")
    static let appleInvalidToken = Self("invalid_token", "The access token is invalid or expired.", status: 401)
    static let throttled = Self("invalid_request", "Too many requests.", status: 429)
}

extension SimulatorResponse {
    /// JSON as Apple's endpoints label it, never cached.
    static func appleJSON(_ members: JSONObject, status: Int = 200) -> SimulatorResponse {
        var response = SimulatorResponse.json(.object(members), status: status).uncached
        response.headers[.contentType] = "application/json;charset=UTF-8"
        return response
    }

    /// An error as Apple's endpoints answer it.
    static func appleFailure(_ failure: OAuthFailure) -> SimulatorResponse {
        .appleJSON(failure.json, status: failure.status)
    }
}
