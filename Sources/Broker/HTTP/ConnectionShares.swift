import Logging
import NIOCore
import Synchronization

/// How many connections one client network may hold, so that no single host takes all the broker has.
///
/// The peers of trusted proxies carry the requests of many clients and have no share. A network that has its share
/// trades the connection that has been idle longest for the new one; while none is idle, the new one is closed.
final class ConnectionShares: Sendable {
    /// Tells a connection to end: at once when it is idle, otherwise with its current answer.
    struct Eviction: Sendable {}

    enum Admission {
        case admitted(Connection)
        case refused
    }

    /// One connection of a client.
    final class Connection: Sendable {
        fileprivate let network: ClientNetwork?
        fileprivate let channel: any Channel
        /// The tick at which it became idle; 0 while a request is open.
        fileprivate let idleSince: Atomic<UInt64>

        fileprivate init(_ channel: any Channel, of network: ClientNetwork?) {
            self.channel = channel
            self.network = network
            idleSince = Atomic(Self.tick)
        }

        /// Whether no request is open; one whose head has not arrived is none yet.
        var isIdle: Bool {
            get { idleSince.load(ordering: .relaxed) != 0 }
            set { idleSince.store(newValue ? Self.tick : 0, ordering: .relaxed) }
        }

        private static var tick: UInt64 { max(NIODeadline.now().uptimeNanoseconds, 1) }
    }

    fileprivate struct State {
        var total = 0
        var connections: [ClientNetwork: [ObjectIdentifier: Connection]] = [:]
        /// The events since the last log line, and its time.
        var closed = 0
        var toldAt: NIODeadline?
    }

    private let limit: ConnectionLimit
    private let clientAddress: ClientAddress
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: How many connections there may be, and how many of one network.
    ///   - clientAddress: Knows the trusted proxies, and what stands for an address in the log.
    ///   - logger: Receives a line when connections are closed, once a minute at most.
    init(limit: ConnectionLimit, clientAddress: ClientAddress, logger: Logger) {
        self.limit = limit
        self.clientAddress = clientAddress
        self.logger = logger
    }

    /// Counts a new connection, and ends another one where that takes it.
    func admit(_ channel: any Channel) -> Admission {
        let peer = channel.remoteAddress
        let connection = Connection(channel, of: clientAddress.network(ofPeer: peer))
        let (admission, victim, news) = state.withLock { state in
            let (isAdmitted, victim) = state.admit(connection, within: limit)
            let isTold = !isAdmitted || victim != nil
            if isAdmitted { RouteMetrics.connectionOpened() }
            return (isAdmitted ? Admission.admitted(connection) : .refused, victim, isTold ? state.news() : nil)
        }
        victim?.channel.pipeline.fireUserInboundEventTriggered(Eviction())
        if let news {
            logger.warning(
                "too many connections of one client; closing idle ones first",
                metadata: [
                    "client": "\(clientAddress.hash(ofPeer: peer))", "closed": .stringConvertible(news),
                    "connections": .stringConvertible(connectionCount), "share": .stringConvertible(limit.share),
                ])
        }
        return admission
    }

    /// Forgets a connection that has ended.
    func remove(_ connection: Connection) {
        state.withLock { state in
            state.total -= 1
            RouteMetrics.connectionClosed()
            state.forget(connection)
        }
    }

    /// The number of connections.
    var connectionCount: Int { state.withLock(\.total) }
}

extension ConnectionShares.State {
    /// - Returns: Whether the new connection may stay, and which one ends for it.
    fileprivate mutating func admit(
        _ connection: ConnectionShares.Connection, within limit: ConnectionLimit
    ) -> (Bool, ConnectionShares.Connection?) {
        var victim: ConnectionShares.Connection?
        if let network = connection.network {
            if connections[network]?.count ?? 0 >= limit.share {
                victim = takeIdlest(of: network)
                guard victim != nil else { return (false, nil) }
            }
            connections[network, default: [:]][ObjectIdentifier(connection)] = connection
        }
        total += 1
        // The last connection there is room for: the busiest network has to give one back.
        if victim == nil, total >= limit.total, let busiest = connections.max(by: { $0.value.count < $1.value.count }) {
            victim = takeIdlest(of: busiest.key, but: connection)
        }
        return (true, victim)
    }

    /// The connection of a network that has been idle longest; no longer counted in its share.
    private mutating func takeIdlest(
        of network: ClientNetwork, but newest: ConnectionShares.Connection? = nil
    ) -> ConnectionShares.Connection? {
        let idle = (connections[network] ?? [:]).values.lazy
            .map { (since: $0.idleSince.load(ordering: .relaxed), connection: $0) }
            .filter { $0.since != 0 && $0.connection !== newest }
        guard let idlest = idle.min(by: { $0.since < $1.since })?.connection else { return nil }
        forget(idlest)
        return idlest
    }

    fileprivate mutating func forget(_ connection: ConnectionShares.Connection) {
        guard let network = connection.network else { return }
        connections[network]?[ObjectIdentifier(connection)] = nil
        if connections[network]?.isEmpty == true { connections[network] = nil }
    }

    /// The number of connections closed since the last line; nil when the line is less than a minute old.
    fileprivate mutating func news() -> Int? {
        closed += 1
        let now = NIODeadline.now()
        if let toldAt, now - toldAt < .minutes(1) { return nil }
        defer { (closed, toldAt) = (0, now) }
        return closed
    }
}
