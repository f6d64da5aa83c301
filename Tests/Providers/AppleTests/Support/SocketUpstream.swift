import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit

/// An upstream over real sockets that brings requests for Apple to its simulator.
struct SocketUpstream: Upstream {
    /// Where the simulator listens.
    let simulator: String

    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        do {
            return try await answer(request)
        } catch {
            throw ProviderError(.upstream, at: request.step, "no answer", obstacle: .connectionFailed)
        }
    }

    private func answer(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        let url = request.url.replacing("https://appleid.apple.com", with: simulator)
        var message = HTTPClientRequest(url: url)
        message.method = .init(rawValue: request.method.rawValue)
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        if let body = request.body { message.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await Self.client.execute(message, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        return UpstreamResponse(
            status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
            body: Array(body.readableBytesView))
    }

    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        // A whole suite shares two cores: waiting for a connection is no failure of what is tested.
        configuration.timeout.connect = .seconds(120)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
