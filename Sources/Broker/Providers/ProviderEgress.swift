import AsyncHTTPClient
import NIOCore
import NIOPosix
import ProviderKit
import Synchronization

/// The way out of one entry: resolves the hosts of its provider, checks every address, and connects to checked
/// addresses only.
///
/// One client per host, address and pool, at most ``maximumClients``. A host is resolved again after ``lifetime``; clients of
/// addresses it no longer has are retired.
final class ProviderEgress: Sendable {
    /// The destination of a request: a host as request URLs spell it, without the brackets of an IPv6 address, and its port.
    struct Destination: Hashable {
        let host: String
        let port: Int
    }

    /// The requests that share connections. An endpoint that hangs takes none from the requests of another pool.
    enum Pool: Hashable {
        /// The requests of plugins and the core to a provider in one step.
        case step(ProviderError.Step)
        /// Probes of the circuit breaker.
        case probe
        /// Events and logout tokens.
        case deliveries
    }

    fileprivate struct Route {
        /// Checked addresses; the one to try first stands first.
        var addresses: [SocketAddress]
        var resolvedAt: NIODeadline
    }

    fileprivate struct Key: Hashable {
        let host: String
        let address: String
        let pool: Pool
    }

    fileprivate struct State {
        var routes: [Destination: Route] = [:]
        var resolving: [Destination: Task<[SocketAddress], any Error>] = [:]
        var clients: [Key: (client: PinnedClient, lastUse: NIODeadline)] = [:]
    }

    /// The time that the provider has for an answer.
    var timeout: Duration { clients.timeout }

    private let clients: EgressClients
    private let policy: @Sendable (_ host: String) -> AddressPolicy
    private let state = Mutex(State())

    static let lifetime = TimeAmount.seconds(60)
    static let maximumClients = 32
    /// How many addresses of a host are tried for one request.
    static let maximumAttempts = 3

    init(clients: EgressClients, policy: @escaping @Sendable (_ host: String) -> AddressPolicy) {
        self.clients = clients
        self.policy = policy
    }

    deinit {
        for (client, _) in state.withLock(\.clients).values { client.retire() }
    }

    /// Runs a request over a client for `destination`. Where an address takes no connection, the next one is tried.
    ///
    /// - Throws: ``AddressNotAllowed``, ``HostResolver/Failure``, or what `work` throws.
    func withClient<Value>(
        for destination: Destination, in pool: Pool, _ work: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        let addresses = try await addresses(of: destination).prefix(Self.maximumAttempts)
        for address in addresses.dropLast() {
            do {
                return try await client(for: destination, at: address, in: pool).run(work)
            } catch  where UpstreamFailure.isNotConnected(error) {
                demote(address, of: destination)
            }
        }
        guard let last = addresses.last else { throw AddressNotAllowed() }
        return try await client(for: destination, at: last, in: pool).run(work)
    }

    /// A client with a request begun on it.
    private func client(
        for destination: Destination, at address: SocketAddress, in pool: Pool
    ) throws -> PinnedClient {
        let key = Key(host: destination.host, address: address.ipAddress ?? "", pool: pool)
        let (client, evicted) = try state.withLock { state in
            let evicted = state.clients[key] == nil ? state.makeRoom() : nil
            let client =
                try state.clients[key]?.client
                ?? clients.client(
                    host: destination.isAddress ? nil : key.host, address: key.address, policy: policy(key.host))
            client.begin()
            state.clients[key] = (client, clients.uptime())
            return (client, evicted)
        }
        evicted?.retire()
        return client
    }

    /// Tries an address after all others from now on.
    private func demote(_ address: SocketAddress, of destination: Destination) {
        state.withLock { state in
            guard let index = state.routes[destination]?.addresses.firstIndex(of: address) else { return }
            state.routes[destination]?.addresses.remove(at: index)
            state.routes[destination]?.addresses.append(address)
        }
    }
}

extension ProviderEgress {
    /// The checked addresses of a destination. Concurrent callers share one lookup.
    private func addresses(of destination: Destination) async throws -> [SocketAddress] {
        if let address = destination.address {
            guard policy(destination.host).allows(address) else { throw AddressNotAllowed() }
            return [address]
        }
        let now = clients.uptime()
        let (known, task) = state.withLock { state in
            if let route = state.routes[destination], now < route.resolvedAt + Self.lifetime {
                return ([SocketAddress]?.some(route.addresses), Task<[SocketAddress], any Error>?.none)
            }
            let task =
                state.resolving[destination]
                ?? Task {
                    let found: Result<[SocketAddress], any Error>
                    do {
                        found = .success(try await clients.resolve(destination.host, destination.port))
                    } catch {
                        found = .failure(error)
                    }
                    return try adopt(found, for: destination)
                }
            state.resolving[destination] = task
            return (nil, task)
        }
        if let known { return known }
        guard let task else { return [] }
        return try await task.value
    }

    /// Keeps the addresses that are allowed. An outage of the name service is bridged by the addresses known before.
    private func adopt(
        _ found: Result<[SocketAddress], any Error>, for destination: Destination
    ) throws -> [SocketAddress] {
        let policy = policy(destination.host)
        let now = clients.uptime()
        let (result, retired) = state.withLock { state -> (Result<[SocketAddress], any Error>, [PinnedClient]) in
            state.resolving[destination] = nil
            switch found {
            case .success(let addresses):
                let allowed = addresses.filter(policy.allows)
                state.adopt(allowed, for: destination, at: now)
                let retired = state.removeClients(of: destination.host)
                return (allowed.isEmpty ? .failure(AddressNotAllowed()) : .success(allowed), retired)
            case .failure(let error):
                guard let known = state.routes[destination]?.addresses else { return (.failure(error), []) }
                state.routes[destination]?.resolvedAt = now
                return (.success(known), [])
            }
        }
        for client in retired { client.retire() }
        return try result.get()
    }
}

extension ProviderEgress.State {
    fileprivate mutating func adopt(
        _ addresses: [SocketAddress], for destination: ProviderEgress.Destination, at now: NIODeadline
    ) {
        if routes[destination] == nil, routes.count >= ProviderEgress.maximumClients,
            let oldest = routes.min(by: { $0.value.resolvedAt < $1.value.resolvedAt })?.key
        {
            routes[oldest] = nil
        }
        routes[destination] = addresses.isEmpty ? nil : .init(addresses: addresses, resolvedAt: now)
    }

    /// Removes the clients of addresses that a host no longer has on any port.
    fileprivate mutating func removeClients(of host: String) -> [PinnedClient] {
        let current = Set(routes.filter { $0.key.host == host }.values.flatMap(\.addresses).compactMap(\.ipAddress))
        let gone = clients.filter { $0.key.host == host && !current.contains($0.key.address) }
        for key in gone.keys { clients[key] = nil }
        return gone.values.map(\.client)
    }

    /// Removes the client that was used longest ago, when there is room for none besides.
    fileprivate mutating func makeRoom() -> PinnedClient? {
        guard clients.count >= ProviderEgress.maximumClients,
            let oldest = clients.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return nil }
        clients[oldest.key] = nil
        return oldest.value.client
    }
}

extension ProviderEgress.Destination {
    /// The address a host is, where it is one and no name.
    var address: SocketAddress? { try? SocketAddress(ipAddress: host, port: port) }
    var isAddress: Bool { address != nil }
}
