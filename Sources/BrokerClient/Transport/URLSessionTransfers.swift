import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Collects the responses of a URL session's tasks, each up to a limit, and resumes their callers once.
final class URLSessionTransfers: NSObject, URLSessionDataDelegate {
    /// The largest response: no document of the broker comes near it.
    static let maximumBytes = 1 << 20

    typealias Continuation = CheckedContinuation<Result<HTTPResponse, BrokerAuthError>, Never>

    private struct Transfer {
        let continuation: Continuation
        var body = Data()
        var isTooLarge = false
    }

    private let transfers = Mutex<[Int: Transfer]>([:])

    func begin(_ task: URLSessionTask, _ continuation: Continuation) {
        transfers.withLock { $0[task.taskIdentifier] = Transfer(continuation: continuation) }
    }

    /// A redirect is the response: no request follows it.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = transfers.withLock { transfers in
            guard var transfer = transfers[dataTask.taskIdentifier], !transfer.isTooLarge else { return false }
            transfer.isTooLarge = transfer.body.count + data.count > Self.maximumBytes
            if !transfer.isTooLarge { transfer.body.append(data) }
            transfers[dataTask.taskIdentifier] = transfer
            return transfer.isTooLarge
        }
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let transfer = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        transfer.continuation.resume(returning: Self.result(of: transfer, task.response, error))
    }

    private static func result(
        of transfer: Transfer, _ response: URLResponse?, _ error: (any Error)?
    ) -> Result<HTTPResponse, BrokerAuthError> {
        guard !transfer.isTooLarge else { return .failure(.network(NetworkFailure(.invalidResponse))) }
        if let error { return .failure(BrokerAuthError(transport: error)) }
        guard let response = response as? HTTPURLResponse else {
            return .failure(.network(NetworkFailure(.invalidResponse)))
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        return .success(HTTPResponse(status: response.statusCode, headers: headers, body: transfer.body))
    }
}

extension BrokerAuthError {
    fileprivate init(transport error: any Error) {
        switch (error as? URLError)?.code {
        case .cancelled: self = .cancelled
        case .timedOut: self = .network(NetworkFailure(.timedOut))
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            self = .network(NetworkFailure(.insecure))
        case .badServerResponse, .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse:
            self = .network(NetworkFailure(.invalidResponse))
        default: self = .network(NetworkFailure(.unreachable))
        }
    }
}
