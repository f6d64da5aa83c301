import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization

/// The HTTP clients of this process, and what all entries have in common on the way out.
///
/// Redirects are off, answers stay compressed as they come, proxies from the environment are ignored: what is asked is
/// what was configured. Clients are made by ``ProviderEgress``, one for each entry, host, checked address and pool.
package final class EgressClients: Sendable {
    /// Resolves a host name to its addresses, each with the port.
    typealias Resolve = @Sendable (_ host: String, _ port: Int) async throws -> [SocketAddress]

    private struct State {
        var clients: [ObjectIdentifier: PinnedClient] = [:]
        var isClosed = false
    }

    private let privateHosts: [String: [PrivateNetwork]]
    let resolve: Resolve
    /// The monotonic clock that resolutions age by.
    let uptime: @Sendable () -> NIODeadline
    /// The time that a provider has for an answer.
    let timeout: Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - privateNetworks: The ranges in which single hosts are, by host (`egress.privateNetworks`).
    ///   - timeout: The time that a provider has for an answer (`providers.timeoutSeconds`).
    package convenience init(
        privateNetworks: [String: [AddressRange]] = [:], timeout: Duration = Configuration.defaultProviderTimeout
    ) {
        self.init(
            privateNetworks: privateNetworks, timeout: timeout,
            resolve: { try await HostResolver.addresses(of: $0, port: $1) }, uptime: { .now() })
    }

    init(
        privateNetworks: [String: [AddressRange]] = [:], timeout: Duration = Configuration.defaultProviderTimeout,
        resolve: @escaping Resolve, uptime: @escaping @Sendable () -> NIODeadline
    ) {
        self.timeout = timeout
        privateHosts = Dictionary(
            privateNetworks.map { host, ranges in (host.lowercased(), ranges.map { PrivateNetwork(range: $0) }) },
            uniquingKeysWith: { _, new in new })
        self.resolve = resolve
        self.uptime = uptime
    }

    /// The way out of one entry.
    ///
    /// - Parameters:
    ///   - allowsLoopback: Whether the entry asks this machine, and nothing else (`allowInsecureLoopback`).
    ///   - privateNetworks: What the entry may ask besides.
    /// - Returns: The entry's own clients and their rules.
    func egress(allowsLoopback: Bool, privateNetworks: [PrivateNetwork] = []) -> ProviderEgress {
        ProviderEgress(
            clients: self,
            policy: { [privateHosts] host in
                let base: AddressPolicy =
                    privateHosts[host.lowercased()].map { .networks($0) }
                    ?? (allowsLoopback ? .loopback : .publicInternet)
                return privateNetworks.isEmpty ? base : .either(base, .networks(privateNetworks))
            })
    }

    /// How many clients are not shut down yet.
    var count: Int { state.withLock(\.clients.count) }

    /// - Throws: `HTTPClientError.alreadyShutdown` after ``shutdown()``.
    func client(host: String?, address: String, policy: AddressPolicy) throws -> PinnedClient {
        try state.withLock { state in
            guard !state.isClosed else { throw HTTPClientError.alreadyShutdown }
            let client = PinnedClient(host: host, address: address, policy: policy, timeout: timeout) {
                [weak self] client in
                self?.state.withLock { _ = $0.clients.removeValue(forKey: ObjectIdentifier(client)) }
            }
            state.clients[ObjectIdentifier(client)] = client
            return client
        }
    }

    /// Shuts every client down; open requests fail, and no more can begin.
    package func shutdown() async {
        let clients = state.withLock { state in
            state.isClosed = true
            return Array(state.clients.values)
        }
        for client in clients { await client.shutDown() }
    }
}
