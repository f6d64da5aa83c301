import Foundation
import Locks

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Collects the responses of a URL session's tasks, each up to a limit, and resumes their callers once.
final class URLSessionTransfers: NSObject, URLSessionDataDelegate {
    typealias Continuation = CheckedContinuation<Result<HTTPResponse, BrokerAuthError>, Never>

    private struct Transfer {
        let continuation: Continuation
        let maximumBytes: Int
        var body = Data()
        var isTooLarge = false
    }

    private struct State {
        var transfers: [Int: Transfer] = [:]
        /// Tasks that were cancelled before their transfer began: their completion may come too early to be noticed.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Expects the response of a task, up to a number of bytes.
    ///
    /// - Returns: Whether the task is to be resumed; false when it was cancelled before.
    func begin(_ task: URLSessionTask, upTo maximumBytes: Int, _ continuation: Continuation) -> Bool {
        let isCancelled = state.withLock { state in
            if state.cancelled.contains(task.taskIdentifier) { return true }
            state.transfers[task.taskIdentifier] = Transfer(continuation: continuation, maximumBytes: maximumBytes)
            return false
        }
        if isCancelled { continuation.resume(returning: .failure(.cancelled)) }
        return !isCancelled
    }

    func cancel(_ task: URLSessionTask) {
        state.withLock { state in
            if state.transfers[task.taskIdentifier] == nil { state.cancelled.insert(task.taskIdentifier) }
        }
        task.cancel()
    }

    /// Forgets a task whose response has been returned.
    func end(_ task: URLSessionTask) {
        state.withLock { _ = $0.cancelled.remove(task.taskIdentifier) }
    }

    /// A redirect is the response: no request follows it.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = state.withLock { state in
            guard var transfer = state.transfers[dataTask.taskIdentifier], !transfer.isTooLarge else { return false }
            transfer.isTooLarge = transfer.body.count + data.count > transfer.maximumBytes
            if !transfer.isTooLarge { transfer.body.append(data) }
            state.transfers[dataTask.taskIdentifier] = transfer
            return transfer.isTooLarge
        }
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let transfer = state.withLock({ $0.transfers.removeValue(forKey: task.taskIdentifier) }) else { return }
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
