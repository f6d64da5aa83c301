import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
public import ProviderKit

/// The way from a plugin under test to a simulator, over a real socket. It reaches nothing but this machine, follows no
/// redirect and takes at most 1 MiB, as the broker does.
public struct SimulatorUpstream: Upstream {
    private static let maximumBody = 1 << 20

    private let deadline: Duration

    /// Makes a way on which a whole answer has to come within `deadline`.
    public init(deadline: Duration = .seconds(30)) {
        self.deadline = deadline
    }

    public func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        guard Loopback.isHTTP(request.url) else {
            throw ProviderError(.configuration, at: request.step, "a simulator is never asked at \(request.url)")
        }
        do {
            return try await exchange(request)
        } catch {
            let isLate = (error as? HTTPClientError) == .deadlineExceeded || error is CancellationError
            throw ProviderError(
                .upstream, at: request.step, "no whole answer: \(type(of: error))",
                obstacle: isLate ? .timedOut : .connectionFailed)
        }
    }

    @concurrent
    private func exchange(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        var sent = HTTPClientRequest(url: request.sentURL)
        sent.method = HTTPMethod(rawValue: request.method.rawValue)
        for (name, value) in request.headers { sent.headers.add(name: name, value: value) }
        sent.headers.replaceOrAdd(name: "User-Agent", value: "broker")
        if let body = request.body { sent.body = .bytes(ByteBuffer(bytes: body)) }
        let seconds = Int64(deadline.components.seconds)
        let response = try await Loopback.client.execute(sent, deadline: .now() + .seconds(seconds))
        let body = try await response.body.collect(upTo: Self.maximumBody)
        return UpstreamResponse(
            status: Int(response.status.code), headers: response.headers.map { (name: $0.name, value: $0.value) },
            body: Array(body.readableBytesView))
    }
}
