import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Requests to the broker.
struct BrokerConnection: Sendable {
    /// How long a request may take, until its answer is there to the last byte.
    let timeout: Duration

    /// The longest body of an answer, in bytes.
    private static let maximumBody = 256 << 10

    /// Never shut down: it belongs to the process. A redirect would lead away from the issuer.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(3)
        configuration.timeout.read = .seconds(5)
        // Before the broker does so, which ends idle connections after 15 seconds: a request could be on its way then.
        configuration.connectionPool.idleTimeout = .seconds(5)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// An answer, read to its end.
    struct Answer: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]
    }

    /// The broker did not answer in time.
    struct TimedOut: Error, CustomStringConvertible {
        var description: String { "the broker's answer took too long" }
    }

    /// - Throws: ``TimedOut``, or an error of the connection or of a body that is too long.
    func get(_ url: String, knowing entityTag: String?) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        if let entityTag { request.headers.add(name: "If-None-Match", value: entityTag) }
        return try await send(request)
    }

    /// Posts a form that is already encoded.
    ///
    /// - Throws: As ``get(_:knowing:)``.
    func post(_ url: String, form: String, authorization: String? = nil) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        if let authorization { request.headers.add(name: "Authorization", value: authorization) }
        request.body = .bytes(ByteBuffer(string: form))
        return try await send(request)
    }

    /// The client's own deadline ends with the head of the answer, so the body is bounded here. Others wait for the same
    /// answer, and one that never ends would keep them waiting.
    private func send(_ request: HTTPClientRequest) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask { try await Self.exchange(request, within: timeout) }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw TimedOut()
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw TimedOut() }
            return answer
        }
    }

    private static func exchange(_ request: HTTPClientRequest, within timeout: Duration) async throws -> Answer {
        var request = request
        request.headers.add(name: "Accept", value: "application/json")
        let response = try await http.execute(request, timeout: TimeAmount(timeout))
        let body = try await response.body.collect(upTo: maximumBody)
        return Answer(
            status: Int(response.status.code), headers: response.headers, body: Array(body.readableBytesView))
    }
}
