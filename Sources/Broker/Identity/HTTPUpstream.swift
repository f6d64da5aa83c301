import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit

/// One entry's way to its provider: the only caller of the network on behalf of plugins.
///
/// Connects within 3 s, gives up after 10 s in all, takes at most 1 MiB, follows no redirect, repeats nothing.
struct HTTPUpstream: Upstream {
    let clients: EgressClients
    let allowsInsecureLoopback: Bool
    let gate: UpstreamGate
    /// The broker's clock.
    let now: @Sendable () -> Date

    private static let deadline = Duration.seconds(10)
    private static let maximumBody = 1 << 20

    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        let host = try checkedHost(of: request)
        guard gate.enter(at: .now()) else {
            throw ProviderError(.upstream, at: request.step, "too many open requests or failures", retryAfter: 5)
        }
        let sent = now()
        do {
            let client = clients.client(host: host, allowsLoopback: allowsInsecureLoopback)
            let prepared = httpRequest(request)
            let response = try await Deadline.run(within: Self.deadline) {
                try await Self.exchange(prepared, over: client)
            }
            gate.leave(response.status >= 500 ? .failed : .answered, at: .now())
            UpstreamObservation.answered(response, sent: sent, received: now())
            return response
        } catch {
            gate.leave(error is CancellationError ? .abandoned : .failed, at: .now())
            let failure = UpstreamFailure(error)
            throw ProviderError(.upstream, at: request.step, failure.reason, obstacle: failure.obstacle)
        }
    }

    /// Head and body; the client's own deadline would end with the head.
    private static func exchange(
        _ request: HTTPClientRequest, over client: HTTPClient
    ) async throws -> UpstreamResponse {
        let response = try await client.execute(request, timeout: .seconds(10))
        let body = try await response.body.collect(upTo: maximumBody)
        return UpstreamResponse(
            status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
            body: Array(buffer: body))
    }

    /// Refuses everything but https, and http to this host where the entry allows it.
    private func checkedHost(of request: UpstreamRequest) throws(ProviderError) -> String {
        let isPlain = request.url.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        guard isPlain, let url = URL(string: request.url, encodingInvalidCharacters: false), let host = url.host(),
            url.scheme == "https" || url.scheme == "http" && allowsInsecureLoopback
        else { throw ProviderError(.configuration, at: request.step, "the provider's URL may not be asked") }
        return host.lowercased()
    }

    private func httpRequest(_ request: UpstreamRequest) -> HTTPClientRequest {
        var result = HTTPClientRequest(url: request.url)
        result.method = HTTPMethod(rawValue: request.method.rawValue)
        for (name, value) in request.headers { result.headers.add(name: name, value: value) }
        if !result.headers.contains(name: "User-Agent") { result.headers.add(name: "User-Agent", value: "broker") }
        result.headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
        if let body = request.body { result.body = .bytes(body) }
        return result
    }
}
