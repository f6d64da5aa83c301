import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit
import Synchronization

/// The way to a simulator: real sockets, no redirects, the broker's limit on bodies; it remembers what it sent.
final class SocketUpstream: Upstream {
    /// Never shut down: it lives as long as the test run.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(60)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private let sent = Mutex<[UpstreamRequest]>([])

    var requests: [UpstreamRequest] { sent.withLock { $0 } }

    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        sent.withLock { $0.append(request) }
        do {
            var wire = HTTPClientRequest(url: request.url)
            wire.method = HTTPMethod(rawValue: request.method.rawValue)
            for (name, value) in request.headers { wire.headers.add(name: name, value: value) }
            if let body = request.body { wire.body = .bytes(ByteBuffer(bytes: body)) }
            let response = try await Self.http.execute(wire, timeout: .seconds(30))
            let body = try await response.body.collect(upTo: 1 << 20)
            return UpstreamResponse(
                status: Int(response.status.code), headers: response.headers.map { (name: $0.name, value: $0.value) },
                body: Array(body.readableBytesView))
        } catch {
            throw ProviderError(.upstream, at: request.step, "no answer: \(error)")
        }
    }
}
