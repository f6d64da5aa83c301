import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests through a URL session of its own: without cookies, cache, stored credentials and redirects.
package final class URLSessionTransport: HTTPTransport {
    /// Seconds without any data until a request fails.
    private static let timeout: TimeInterval = 30

    private let session: URLSession
    private let transfers = URLSessionTransfers()

    package init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = Self.timeout
        configuration.timeoutIntervalForResource = 2 * Self.timeout
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    package func send(_ request: HTTPRequest) async throws(BrokerAuthError) -> HTTPResponse {
        guard request.url.isSecureOrLoopback else { throw .network(NetworkFailure(.insecure)) }
        var urlRequest = URLRequest(url: request.url, timeoutInterval: Self.timeout)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body
        urlRequest.httpShouldHandleCookies = false
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: urlRequest)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if transfers.begin(task, upTo: request.maximumBytes, continuation) { task.resume() }
            }
        } onCancel: {
            transfers.cancel(task)
        }
        transfers.end(task)
        return try outcome.get()
    }
}

extension URL {
    /// Whether requests may go there: HTTPS, or HTTP on this machine for development (RFC 8252 §8.3).
    var isSecureOrLoopback: Bool {
        guard let scheme = scheme?.lowercased(), let host = host()?.lowercased(), !host.isEmpty else { return false }
        return scheme == "https" || (scheme == "http" && RedirectURI.loopbackHosts.contains(host))
    }
}
