import Broker
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Stands between a broker and its PostgreSQL and counts what the broker sends.
final class PostgreSQLRelay: Sendable {
    private struct State {
        var statements = 0
        var roundTrips = 0
        /// The path of the server's socket.
        var server = ""
    }

    private let state = Mutex(State())
    private let channel = Mutex<(any Channel)?>(nil)

    static func start() async throws -> PostgreSQLRelay {
        let relay = PostgreSQLRelay()
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FrontendHandler(of: relay))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        relay.channel.withLock { $0 = channel }
        return relay
    }

    func stop() async throws {
        try await channel.withLock { $0 }?.close().get()
    }

    /// Statements so far, without those that begin and end transactions.
    var statements: Int { state.withLock(\.statements) }
    /// How often answers have waited for the server. The end of a transaction that only read is not among them: the broker
    /// answers before it.
    var roundTrips: Int { state.withLock(\.roundTrips) }

    /// The connection string by which a broker comes here instead of to the server of `url`, a URL with a socket's folder.
    func url(insteadOf url: String) throws -> String {
        guard let parts = URLComponents(string: url), let port = channel.withLock({ $0?.localAddress?.port }),
            let folder = parts.queryItems?.first(where: { $0.name == "host" })?.value
        else { throw TestFailure("no socket in the URL of the database") }
        state.withLock { $0.server = folder + "/.s.PGSQL.5432" }
        return "postgresql://127.0.0.1:\(port)\(parts.path)?user=postgres&connect_timeout=30&sslmode=disable"
            + "&gssencmode=disable"
    }

    fileprivate var server: String { state.withLock(\.server) }

    fileprivate func countStatement() { state.withLock { $0.statements += 1 } }
    fileprivate func countRoundTrip() { state.withLock { $0.roundTrips += 1 } }
}

/// What one connection of the broker's has sent of an exchange (PostgreSQL's documentation, "Message Formats").
private struct Exchange {
    private static let controls: Set<String> = ["begin_writing", "begin_reading", "commit", "rollback"]
    private var isRollback = true

    /// Takes a message: Bind runs a prepared statement, Sync ends an exchange.
    mutating func take(_ type: UInt8, _ contents: ByteBufferView, counting relay: PostgreSQLRelay) {
        switch type {
        case UInt8(ascii: "B"):
            let name = Self.statement(boundBy: contents)
            if name != "rollback" { isRollback = false }
            if !Self.controls.contains(name) { relay.countStatement() }
        case UInt8(ascii: "S"):
            if !isRollback { relay.countRoundTrip() }
            isRollback = true
        default: break
        }
    }

    /// Bind begins with the names of a portal and of a statement.
    private static func statement(boundBy contents: ByteBufferView) -> String {
        let names = contents.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        return names.count > 1 ? String(decoding: names[1], as: UTF8.self) : ""
    }
}

/// The side of the broker.
private final class FrontendHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let relay: PostgreSQLRelay
    private var server: (any Channel)?
    /// What came before the server was there.
    private var early = ByteBuffer()
    /// What was not counted yet, less than a message.
    private var unread = ByteBuffer()
    private var isStarted = false
    private var exchange = Exchange()

    init(of relay: PostgreSQLRelay) {
        self.relay = relay
    }

    func channelActive(context: ChannelHandlerContext) {
        let client = context.channel
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        ClientBootstrap(group: context.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(BackendHandler(for: client))
                }
            }
            .connect(unixDomainSocketPath: relay.server)
            .whenComplete { outcome in
                switch outcome {
                case .success(let server):
                    handler.value.server = server
                    server.writeAndFlush(handler.value.early, promise: nil)
                case .failure: client.close(promise: nil)
                }
            }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        if let server { server.writeAndFlush(part, promise: nil) } else { early.writeImmutableBuffer(part) }
        unread.writeBuffer(&part)
        while let message = nextMessage() {
            if let type = message.type { exchange.take(type, message.contents, counting: relay) }
        }
        unread.discardReadBytes()
    }

    func channelInactive(context: ChannelHandlerContext) { server?.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// A whole message; only the first of a connection has no type.
    private func nextMessage() -> (type: UInt8?, contents: ByteBufferView)? {
        let typeLength = isStarted ? 1 : 0
        let start = unread.readerIndex
        guard let length = unread.getInteger(at: start + typeLength, as: UInt32.self).map(Int.init),
            unread.readableBytes >= typeLength + length, length >= 4
        else { return nil }
        let type = isStarted ? unread.getInteger(at: start, as: UInt8.self) : nil
        isStarted = true
        unread.moveReaderIndex(forwardBy: typeLength + 4)
        guard let contents = unread.readSlice(length: length - 4) else { return nil }
        return (type, contents.readableBytesView)
    }
}

/// The side of the server.
private final class BackendHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel

    init(for client: any Channel) {
        self.client = client
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
