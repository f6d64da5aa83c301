package import Foundation

/// A request to the broker.
package struct HTTPRequest: Sendable {
    package var method: String
    package var url: URL
    package var headers: [String: String]
    package var body: Data?
    /// The largest response. No document of the broker comes near the default.
    package var maximumBytes = 1 << 20

    package init(method: String = "GET", url: URL, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The broker's response, whole.
package struct HTTPResponse: Sendable {
    package var status: Int
    /// By name in lower case.
    package var headers: [String: String]
    package var body: Data
}

/// Sends requests. It follows no redirects, since a token must not go to another server.
package protocol HTTPTransport: Sendable {
    /// - Throws: ``BrokerAuthError/network(_:)`` or ``BrokerAuthError/cancelled``.
    func send(_ request: HTTPRequest) async throws(BrokerAuthError) -> HTTPResponse
}

/// The library's environment; tests replace it.
package struct ClientEnvironment: Sendable {
    package var transport: any HTTPTransport
    package var now: @Sendable () -> Date
    package var sleep: @Sendable (Duration) async throws -> Void
    /// A number between 0 and 1, for the jitter of repetitions.
    package var random: @Sendable () -> Double

    package init(
        transport: any HTTPTransport = URLSessionTransport(), now: @escaping @Sendable () -> Date = { Date() },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.transport = transport
        self.now = now
        self.sleep = sleep
        self.random = random
    }
}
