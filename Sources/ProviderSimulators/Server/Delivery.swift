import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A message a simulator sends by itself: a webhook or a notification. It reaches listeners on this machine only.
struct Delivery: Sendable {
    let url: String
    /// The header fields, in order.
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// Sends the message once.
    ///
    /// - Returns: The status of the answer; `nil` when none came within ten seconds or the listener is elsewhere.
    @concurrent
    func send() async -> Int? {
        guard isForLoopback else { return nil }
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        let response = try? await Self.client.execute(request, timeout: .seconds(10))
        return response.map { Int($0.status.code) }
    }

    private var isForLoopback: Bool {
        guard let url = URL(string: url, encodingInvalidCharacters: false), url.scheme == "http" else { return false }
        return ["127.0.0.1", "localhost", "::1", "[::1]"].contains(url.host() ?? "")
    }

    /// Lives as long as the process; follows no redirects, which could lead off this machine.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
