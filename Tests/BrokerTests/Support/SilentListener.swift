import Foundation
import NIOCore
import NIOPosix
import ProviderKit
import Synchronization

@testable import Broker

/// A listener that answers nothing, counts who connects and keeps what they send.
final class SilentListener: Sendable {
    private struct Record {
        var connections = 0
        var bytes: [UInt8] = []
    }

    private final class Recorder: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let listener: SilentListener

        init(_ listener: SilentListener) {
            self.listener = listener
        }

        func channelActive(context: ChannelHandlerContext) {
            listener.record.withLock { $0.connections += 1 }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = Array(buffer: unwrapInboundIn(data))
            listener.record.withLock { $0.bytes += bytes }
            // What came is enough: its sender need not wait.
            context.close(promise: nil)
        }
    }

    private let record = Mutex(Record())
    private let channel = Mutex<(any Channel)?>(nil)

    var port: Int { channel.withLock { $0?.localAddress?.port } ?? 0 }
    var connections: Int { record.withLock(\.connections) }
    var bytes: [UInt8] { record.withLock(\.bytes) }

    static func start(host: String = "127.0.0.1") async throws -> SilentListener {
        let listener = SilentListener()
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { $0.pipeline.addHandler(Recorder(listener)) }
            .bind(host: host, port: 0).get()
        listener.channel.withLock { $0 = channel }
        return listener
    }

    func stop() async throws {
        let channel = channel.withLock { $0 }
        try await channel?.close().get()
    }
}

/// Answers of a name service, and a monotonic clock, as a test says.
final class TestNames: Sendable {
    private struct State {
        var addresses: [String: [String]] = [:]
        var lookups = 0
        var uptime = NIODeadline.uptimeNanoseconds(0)
    }

    private let state = Mutex(State())

    init(_ addresses: [String: [String]] = [:]) {
        state.withLock { $0.addresses = addresses }
    }

    var lookups: Int { state.withLock(\.lookups) }

    /// What a name has from now on; `nil` makes the name service fail.
    func set(_ name: String, _ addresses: [String]?) { state.withLock { $0.addresses[name] = addresses } }

    func advance(_ time: TimeAmount) { state.withLock { $0.uptime = $0.uptime + time } }

    /// Clients that resolve with these names.
    func clients(privateNetworks: [String: [AddressRange]] = [:]) -> EgressClients {
        EgressClients(
            privateNetworks: privateNetworks,
            resolve: { [self] host, port in
                let found = state.withLock { state in
                    state.lookups += 1
                    return state.addresses[host]
                }
                guard let found else { throw HostResolver.Failure.unavailable }
                return try found.map { try SocketAddress(ipAddress: $0, port: port) }
            }, uptime: { [self] in state.withLock(\.uptime) })
    }
}

extension HTTPUpstream {
    /// The way out of an entry with a gate of its own.
    init(
        _ clients: EgressClients, allowsInsecureLoopback: Bool, privateNetworks: [PrivateNetwork] = [],
        gate: UpstreamGate = UpstreamGate()
    ) {
        self.init(
            egress: clients.egress(allowsLoopback: allowsInsecureLoopback, privateNetworks: privateNetworks),
            allowsInsecureLoopback: allowsInsecureLoopback, gate: gate,
            metrics: UpstreamMetrics(provider: "test"), now: { Date() })
    }
}
