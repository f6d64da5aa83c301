public import Foundation
import OAuth

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension BrokerAuth {
    /// Sends a request of the app to its backend with the session's access token. A 401 refreshes the token and repeats the
    /// request once.
    ///
    /// The request goes to a secure address or to this machine, and follows no redirect, since the token must not go to
    /// another server: a redirect is the response. There are no cookies and no cache. For other needs set the header from
    /// ``accessToken(forcingRefresh:)``.
    ///
    /// - Parameter request: A request to a server that may have the user's access token, with its body in `httpBody`.
    /// - Returns: The response, whatever its status, up to 64 MB.
    /// - Throws: ``BrokerAuthError/signedOut``, ``BrokerAuthError/network(_:)``, also where the backend cannot be reached,
    ///   ``BrokerAuthError/notConfigured(_:)`` for a request without URL or with a stream, any ``BrokerAuthError``.
    public func authorized(
        _ request: URLRequest
    ) async throws(BrokerAuthError) -> (data: Data, response: HTTPURLResponse) {
        let (response, url) = try await send(request, forcingRefresh: false)
        guard response.status == 401 else { return try Self.answer(response, of: url) }
        let (repeated, _) = try await send(request, forcingRefresh: true)
        return try Self.answer(repeated, of: url)
    }

    private func send(
        _ request: URLRequest, forcingRefresh: Bool
    ) async throws(BrokerAuthError) -> (HTTPResponse, URL) {
        guard let url = request.url else { throw .notConfigured("the request has no URL") }
        guard request.httpBodyStream == nil else { throw .notConfigured("a stream cannot be sent twice") }
        var headers = request.allHTTPHeaderFields ?? [:]
        headers["Authorization"] = BearerCredentials.header(try await accessToken(forcingRefresh: forcingRefresh))
        var sent = HTTPRequest(
            method: request.httpMethod ?? "GET", url: url, headers: headers, body: request.httpBody)
        sent.maximumBytes = 64 << 20
        return (try await environment.transport.send(sent), url)
    }

    private static func answer(
        _ response: HTTPResponse, of url: URL
    ) throws(BrokerAuthError) -> (data: Data, response: HTTPURLResponse) {
        let made = HTTPURLResponse(
            url: url, statusCode: response.status, httpVersion: nil, headerFields: response.headers)
        guard let made else { throw .network(NetworkFailure(.invalidResponse)) }
        return (response.body, made)
    }
}
