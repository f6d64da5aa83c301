import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ProviderKit

/// Asks an https address of an app whether something answers there. It sends nothing of a user, follows no redirect and
/// gives up after 5 s.
struct AddressCheck: Sendable {
    private let egress: ProviderEgress

    enum Outcome: Sendable, Hashable {
        case answered(status: Int)
        /// The reason is for the operator.
        case unanswered(String)
    }

    init(clients: EgressClients) {
        egress = clients.egress(allowsLoopback: false)
    }

    /// - Returns: nil for an address that cannot be asked, such as one of an app on a device.
    func ask(_ url: String) async -> Outcome? {
        guard let target = HTTPUpstream.Target(url, allowsInsecureLoopback: false) else { return nil }
        var request = HTTPClientRequest(url: url)
        request.method = .HEAD
        request.headers.add(name: "User-Agent", value: "broker/\(BrokerVersion.current)")
        do {
            return try await Deadline.run(within: .seconds(5)) { [request] in
                try await egress.withClient(for: target.destination, in: .deliveries) { client in
                    .answered(status: Int(try await client.execute(request, timeout: .seconds(5)).status.code))
                }
            }
        } catch {
            return .unanswered(
                UpstreamFailure.reason(error, withoutAddress: "the host has no address that the broker may ask"))
        }
    }
}
