import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit

/// Posts deliveries to webhooks and clients: the only way out that no plugin asks for.
///
/// Every address is checked before a connection is opened to it, at each delivery. Gives up after 5 s, follows no
/// redirect, repeats nothing.
package struct EventSender: Sendable {
    private let egress: ProviderEgress
    /// For http, which goes to this machine and nowhere else; nil where the operator has not allowed it.
    private let loopback: ProviderEgress?

    /// The result of a request.
    enum Answer: Sendable {
        case status(Int, retryAfter: Int?)
        /// No answer; the reason is for the operator.
        case none(String)
        /// The broker stops.
        case interrupted
    }

    static let deadline = Duration.seconds(5)
    /// Answers are of no interest, but a connection whose answer was read serves the next request.
    private static let maximumAnswer = 16 << 10
    private static let answerDeadline = Duration.milliseconds(500)

    /// - Parameters:
    ///   - clients: The HTTP clients of the process, with the operator's private networks.
    ///   - allowsInsecureLoopback: Whether loopback addresses may be posted to (`egress.allowInsecureLoopback`).
    package init(clients: EgressClients, allowsInsecureLoopback: Bool) {
        let machine = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }.map { PrivateNetwork(range: $0) }
        egress = clients.egress(allowsLoopback: false, privateNetworks: allowsInsecureLoopback ? machine : [])
        loopback = allowsInsecureLoopback ? clients.egress(allowsLoopback: true) : nil
    }

    /// Posts a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - headers: All but `User-Agent`.
    ///   - url: A registered URL.
    /// - Returns: The answer, or why there is none.
    func post(_ body: [UInt8], headers: [(name: String, value: String)], to url: String) async -> Answer {
        guard let target = HTTPUpstream.Target(url, allowsInsecureLoopback: loopback != nil),
            let egress = target.origin.hasPrefix("https:") ? egress : loopback
        else { return .none("the URL may not be asked: it must be https") }
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = HTTPHeaders(headers.map { ($0.name, $0.value) })
        request.headers.add(name: "User-Agent", value: "broker/\(BrokerVersion.current)")
        request.headers.add(name: "Accept-Encoding", value: "identity")
        request.body = .bytes(body)
        do {
            return try await Deadline.run(within: Self.deadline) { [request] in
                try await egress.withClient(for: target.destination, in: .deliveries) { client in
                    let response = try await client.execute(request, timeout: .seconds(5))
                    let head = UpstreamResponse(
                        status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) })
                    _ = try? await Deadline.run(within: Self.answerDeadline) {
                        try await response.body.collect(upTo: Self.maximumAnswer)
                    }
                    return .status(head.status, retryAfter: head.retryAfter)
                }
            }
        } catch {
            return Task.isCancelled
                ? .interrupted
                : .none(
                    UpstreamFailure.reason(
                        error,
                        withoutAddress: "the host has no address that may be posted to (see egress.privateNetworks)"))
        }
    }
}
