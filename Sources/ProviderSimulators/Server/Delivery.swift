import AsyncHTTPClient
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
        guard Loopback.isHTTP(url) else { return nil }
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        let response = try? await Loopback.client.execute(request, timeout: .seconds(10))
        return response.map { Int($0.status.code) }
    }
}
