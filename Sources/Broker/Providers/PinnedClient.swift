import AsyncHTTPClient
import NIOCore
import Synchronization

/// An HTTP client whose connections for one host go to one checked address.
///
/// The request's host name stays in SNI, in certificate verification and in `Host`. The client is shut down after its
/// last request once it is retired.
final class PinnedClient: Sendable {
    fileprivate struct State {
        var openRequests = 0
        var isRetired = false
        var isShutDown = false
    }

    /// Connections to one host; further requests wait for one of them.
    static let maximumConnections = 32

    private let client: HTTPClient
    private let state = Mutex(State())
    private let onShutdown: @Sendable (PinnedClient) -> Void

    /// - Parameters:
    ///   - host: The name as it stands in request URLs; `nil` for an address, which needs no resolution.
    ///   - address: Where the connections go.
    ///   - policy: Checked again on each connected socket.
    ///   - timeout: The time for an answer. A connection takes three tenths of it, a pause half of it at most.
    ///   - onShutdown: Called once the client is shut down.
    init(
        host: String?, address: String, policy: AddressPolicy, timeout: Duration,
        onShutdown: @escaping @Sendable (PinnedClient) -> Void
    ) {
        var configuration = HTTPClient.Configuration()
        if let host { configuration.dnsOverride = [host: address] }
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: TimeAmount(timeout * 3 / 10), read: TimeAmount(timeout / 2))
        configuration.httpVersion = .http1Only
        // A provider that refuses connections is down: its callers learn it now, not after three seconds of trying.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.maximumConnections
        configuration.http1_1ConnectionDebugInitializer = { channel in
            guard policy.allows(channel.remoteAddress) else {
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RefusedConnection(), position: .first)
                }
            }
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.onShutdown = onShutdown
    }

    /// Counts a request that is about to begin. Not called on a retired client: its owner forgets it before it retires it.
    func begin() { state.withLock { $0.openRequests += 1 } }

    /// Runs a request that ``begin()`` has counted.
    func run<Value>(_ work: (HTTPClient) async throws -> Value) async throws -> Value {
        defer { end() }
        return try await work(client)
    }

    /// Shuts the client down after its last request.
    func retire() {
        let isDue = state.withLock { state in
            state.isRetired = true
            return state.isDue()
        }
        if isDue { shutDownLater() }
    }

    /// Shuts the client down now; open requests fail.
    func shutDown() async {
        let isFirst = state.withLock { state in
            defer { state.isShutDown = true }
            return !state.isShutDown
        }
        guard isFirst else { return }
        try? await client.shutdown()
        onShutdown(self)
    }

    private func end() {
        let isDue = state.withLock { state in
            state.openRequests -= 1
            return state.isDue()
        }
        if isDue { shutDownLater() }
    }

    private func shutDownLater() {
        // The callback holds the client until it is shut down, as the library demands.
        client.shutdown { [self] _ in onShutdown(self) }
    }
}

extension PinnedClient.State {
    /// Whether the client is to be shut down now, by the caller.
    fileprivate mutating func isDue() -> Bool {
        guard isRetired, openRequests == 0, !isShutDown else { return false }
        isShutDown = true
        return true
    }
}

/// The provider's host name resolves to addresses that the operator has not allowed.
struct AddressNotAllowed: Error {}

/// Lets nothing out to an address that is not allowed: the first write ends the connection.
///
/// The initializer itself must not fail. The client would then try again for three seconds, never close what it has
/// opened, and end the process when the other side closes it first.
private final class RefusedConnection: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = Any

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        promise?.fail(AddressNotAllowed())
        context.fireErrorCaught(AddressNotAllowed())
        context.close(promise: nil)
    }
}
