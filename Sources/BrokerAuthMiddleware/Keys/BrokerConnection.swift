import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Requests to the broker.
enum BrokerConnection {
    /// The longest body of an answer, in bytes.
    private static let maximumBody = 256 << 10
    private static let timeout = TimeAmount.seconds(5)

    /// Never shut down: it belongs to the process. A redirect would lead away from the issuer.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(3)
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

    /// - Throws: An error of the connection, its deadline, or of a body that is too long.
    static func get(_ url: String, knowing entityTag: String?) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        if let entityTag { request.headers.add(name: "If-None-Match", value: entityTag) }
        return try await send(request)
    }

    /// Posts a form that is already encoded.
    ///
    /// - Throws: As ``get(_:knowing:)``.
    static func post(_ url: String, form: String, authorization: String? = nil) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        if let authorization { request.headers.add(name: "Authorization", value: authorization) }
        request.body = .bytes(ByteBuffer(string: form))
        return try await send(request)
    }

    private static func send(_ request: HTTPClientRequest) async throws -> Answer {
        var request = request
        request.headers.add(name: "Accept", value: "application/json")
        let response = try await http.execute(request, timeout: timeout)
        let body = try await response.body.collect(upTo: maximumBody)
        return Answer(
            status: Int(response.status.code), headers: response.headers, body: Array(body.readableBytesView))
    }
}
