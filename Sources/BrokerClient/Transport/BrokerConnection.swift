import Foundation
import OAuth
import ProviderKit
import StrictJSON

/// Calls of the broker's endpoints: encodes requests, and reads answers strictly.
struct BrokerConnection: Sendable {
    let environment: ClientEnvironment

    /// A GET of a JSON document.
    func document(_ url: URL, bearer: String? = nil) async throws(BrokerAuthError) -> Answer {
        try await answer(HTTPRequest(url: url, headers: Self.headers(bearer)))
    }

    /// A POST of a form (RFC 6749 §4.1.3).
    func submit(_ form: [(name: String, value: String)], to url: URL) async throws(BrokerAuthError) -> Answer {
        var headers = Self.headers(nil)
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return try await answer(
            HTTPRequest(method: "POST", url: url, headers: headers, body: Data(FormEncoding.encode(form).utf8)))
    }

    /// A POST of a JSON object.
    func submit(_ body: JSONObject, to url: URL, bearer: String) async throws(BrokerAuthError) -> Answer {
        var headers = Self.headers(bearer)
        headers["Content-Type"] = "application/json"
        return try await answer(
            HTTPRequest(method: "POST", url: url, headers: headers, body: Data(body.serializedBytes())))
    }

    private static func headers(_ bearer: String?) -> [String: String] {
        var headers = ["Accept": "application/json"]
        headers["Authorization"] = bearer.map(BearerCredentials.header)
        return headers
    }

    private func answer(_ request: HTTPRequest) async throws(BrokerAuthError) -> Answer {
        let response = try await environment.transport.send(request)
        let members = try? JSONValue(parsing: response.body).object
        switch response.status {
        case 200..<300:
            guard let members else { throw .network(NetworkFailure(.invalidResponse)) }
            return .success(members)
        case 429, 500...: throw unavailable(response)
        case 400..<500:
            guard let members, let refusal = Refusal(status: response.status, members) else {
                throw .network(NetworkFailure(.invalidResponse))
            }
            // Business errors have the status 400, whatever they say.
            if refusal.code == "TOO_MANY_ATTEMPTS_TRY_LATER" { throw unavailable(response, status: 429) }
            if refusal.code == "TEMPORARILY_UNAVAILABLE" { throw unavailable(response, status: 503) }
            return .refusal(refusal)
        default: throw .network(NetworkFailure(.invalidResponse))
        }
    }

    private func unavailable(_ response: HTTPResponse, status: Int? = nil) -> BrokerAuthError {
        let seconds = response.headers["retry-after"].flatMap { Int($0) }.map { min(max($0, 0), 86_400) }
        return .network(
            NetworkFailure(
                .unavailable(status: status ?? response.status), retryAfter: seconds.map { .seconds($0) }))
    }
}
