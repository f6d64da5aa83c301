import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit

/// One entry's way to its provider: the only caller of the network on behalf of plugins.
///
/// Gives up after ``EgressClients/timeout``, takes at most 1 MiB, follows no redirect, repeats nothing that can have been
/// received. All requests of one call of a plugin share an ``UpstreamBudget``.
struct HTTPUpstream: Upstream {
    let egress: ProviderEgress
    let allowsInsecureLoopback: Bool
    let gate: UpstreamGate
    let metrics: UpstreamMetrics
    /// The broker's clock.
    let now: @Sendable () -> Date

    /// A probe's caller has waited for its own request already.
    private static let probeDeadline = Duration.seconds(5)
    private static let maximumBody = 1 << 20

    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        guard let target = Target(request.url, allowsInsecureLoopback: allowsInsecureLoopback) else {
            throw ProviderError(.configuration, at: request.step, "the provider's URL may not be asked")
        }
        try UpstreamBudget.spendRequest(at: request.step)
        guard await enter(target, for: request.step) else {
            throw ProviderError(.upstream, at: request.step, "too many open requests or failures", retryAfter: 5)
        }
        let (sent, start) = (now(), ContinuousClock.now)
        do {
            let response = try await exchange(request, with: target, over: .step(request.step), within: egress.timeout)
            metrics.sent(request.step, status: response.status, duration: ContinuousClock.now - start)
            await leave(response.status >= 500 ? .failed : .answered, target, for: request.step)
            UpstreamBudget.spend(bytes: response.body.count)
            UpstreamObservation.answered(request, response, sent: sent, received: now())
            return response
        } catch {
            metrics.sent(request.step, status: nil, duration: ContinuousClock.now - start)
            let failure = UpstreamFailure(error)
            await leave(failure.outcome, target, for: request.step)
            let refusal = ProviderError(failure.fault, at: request.step, failure.reason, obstacle: failure.obstacle)
            UpstreamObservation.failed(request, refusal)
            throw refusal
        }
    }

    private func enter(_ target: Target, for step: ProviderError.Step) async -> Bool {
        switch gate.enter(target.origin, for: step, at: .now()) {
        case .admitted: return true
        case .refused: return false
        case .probeFirst:
            await probe(target)
            guard case .admitted = gate.enter(target.origin, for: step, at: .now()) else { return false }
            return true
        }
    }

    private func leave(_ outcome: UpstreamGate.Outcome, _ target: Target, for step: ProviderError.Step) async {
        if gate.leave(outcome, target.origin, for: step, at: .now()) { await probe(target) }
    }

    /// Asks the provider something that carries nothing of a caller's, over connections of its own: those of the requests
    /// it probes for may all hang.
    private func probe(_ target: Target) async {
        let url = gate.probeURL(of: target.origin)
        var outcome = UpstreamGate.Outcome.failed
        if let target = Target(url, allowsInsecureLoopback: allowsInsecureLoopback) {
            do {
                let request = UpstreamRequest(.get, url, at: .discover)
                let response = try await exchange(request, with: target, over: .probe, within: Self.probeDeadline)
                outcome = response.status >= 500 ? .failed : .answered
            } catch {
                outcome = UpstreamFailure(error).outcome
            }
        }
        gate.probed(outcome, target.origin, at: .now())
    }

    /// Head and body; the client's own deadline would end with the head.
    private func exchange(
        _ request: UpstreamRequest, with target: Target, over pool: ProviderEgress.Pool, within limit: Duration
    ) async throws -> UpstreamResponse {
        let prepared = try Self.httpRequest(request)
        let egress = egress
        return try await Deadline.run(within: limit) {
            try await egress.withClient(for: target.destination, in: pool) { client in
                let response = try await client.execute(prepared, timeout: .init(limit))
                let body = try await response.body.collect(upTo: Self.maximumBody)
                return UpstreamResponse(
                    status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
                    body: Array(buffer: body))
            }
        }
    }

    private static func httpRequest(_ request: UpstreamRequest) throws(UnsendableRequest) -> HTTPClientRequest {
        var result = HTTPClientRequest(url: request.sentURL)
        result.method = HTTPMethod(rawValue: request.method.rawValue)
        for (name, value) in request.headers {
            guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw UnsendableRequest() }
            result.headers.add(name: name, value: value)
        }
        // A stranger must not write into the traces of providers, nor have them recorded.
        if let trace = TraceContext.current, RequestAdmission.current?.hasCredential == true {
            result.headers.replaceOrAdd(name: "traceparent", value: trace.childHeader())
        }
        if !result.headers.contains(name: "User-Agent") { result.headers.add(name: "User-Agent", value: "broker") }
        result.headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
        if let body = request.body { result.body = .bytes(body) }
        return result
    }
}

extension HTTPUpstream {
    /// The target of a URL: https, or http where the entry allows it.
    struct Target: Sendable {
        let origin: UpstreamGate.Origin
        let destination: ProviderEgress.Destination

        /// `nil` for a URL that may not be asked.
        init?(_ text: String, allowsInsecureLoopback: Bool) {
            guard let url = HTTPUpstream.url(text), let host = url.host(),
                let scheme = url.scheme, scheme == "https" || scheme == "http" && allowsInsecureLoopback
            else { return nil }
            let port = url.port ?? (scheme == "https" ? 443 : 80)
            // The HTTP client takes the brackets of an IPv6 address off too: its overrides go by the same name.
            let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isHostByte) else { return nil }
            destination = .init(host: name, port: port)
            origin = "\(scheme)://\(name.contains(":") ? "[\(name)]" : name):\(port)"
        }

        /// Names and addresses. A percent sign would be decoded by one reader of the URL and not by another.
        private static func isHostByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: ":"):
                true
            default: false
            }
        }
    }

    /// The origin of a URL that may be asked.
    static func origin(of text: String) -> UpstreamGate.Origin? {
        Target(text, allowsInsecureLoopback: true)?.origin
    }

    /// Printable ASCII only: Foundation maps look-alike characters to ASCII.
    private static func url(_ text: String) -> URL? {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        return isPlain ? URL(string: text, encodingInvalidCharacters: false) : nil
    }
}
