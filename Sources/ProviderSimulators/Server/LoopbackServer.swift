package import Hummingbird
package import Logging
package import NIOCore
import Synchronization

/// An HTTP/1.1 server on 127.0.0.1, such as a simulator's, that ends without waiting for its clients. It stops with its
/// last reference.
package final class LoopbackServer: Sendable {
    /// The port it listens on.
    package let port: Int
    /// Its URL, such as `http://127.0.0.1:40124`.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// A log of nothing.
    package static let silence = Logger(label: "loopback-server") { _ in SwiftLogNoOpLogHandler() }

    private let listener: any Channel
    private let connections: OpenConnections
    private let run: Task<Void, Never>

    private init(_ listener: any Channel, _ connections: OpenConnections, _ run: Task<Void, Never>, port: Int) {
        (self.listener, self.connections, self.run, self.port) = (listener, connections, run, port)
    }

    deinit { Task { [listener, connections, run] in await Self.end(listener, connections, run) } }

    /// Starts a server and returns once it accepts connections.
    ///
    /// - Parameters:
    ///   - responder: Answers the requests.
    ///   - port: The port; 0 for a free one.
    ///   - handlers: What sees the parts of a connection's messages besides.
    ///   - logger: The log of the server itself.
    ///   - onListening: Learns the port before the first connection.
    /// - Returns: The server.
    /// - Throws: An I/O error when the port is taken.
    package static func start<Responder: HTTPResponder>(
        _ responder: Responder, port: Int = 0,
        handlers: @escaping @Sendable () -> [any RemovableChannelHandler] = { [] },
        logger: Logger = silence, onListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> LoopbackServer
    where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let (listeners, listening) = AsyncThrowingStream<any Channel, any Error>.makeStream()
        let connections = OpenConnections()
        let application = Application(
            responder: responder,
            server: .http1(additionalChannelHandlers: [connections] + handlers()),
            configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: nil),
            onServerRunning: { listener in
                onListening(listener.localAddress?.port ?? port)
                listening.yield(listener)
            },
            // Nothing of a connection happens on another thread while the listener closes: NIO ends the process when a
            // connection that a closed listener drops becomes active.
            eventLoopGroupProvider: .shared(EventLoopGroupProvider.singleton.eventLoopGroup.next()),
            logger: logger)
        let run = Task {
            // Only a server that never listened is still waited for.
            defer { listening.finish() }
            do {
                try await application.run()
            } catch {
                listening.finish(throwing: error)
            }
        }
        for try await listener in listeners {
            return LoopbackServer(listener, connections, run, port: listener.localAddress?.port ?? port)
        }
        throw CancellationError()
    }

    /// Starts a server on a free port, lends it to `body` and stops it.
    package static func run<Responder: HTTPResponder, Value>(
        _ responder: Responder, logger: Logger = silence,
        _ body: (LoopbackServer) async throws -> Value
    ) async throws -> Value
    where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let server = try await start(responder, logger: logger)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        return try result.get()
    }

    /// Closes every connection and returns once the port is free.
    package func stop() async {
        await Self.end(listener, connections, run)
    }

    private static func end(
        _ listener: any Channel, _ connections: OpenConnections, _ run: Task<Void, Never>
    ) async {
        // A server that is cancelled drops connections that it has not served yet, so they are closed before.
        await connections.close(with: listener)
        run.cancel()
        await run.value
    }
}

/// The connections of a server.
private final class OpenConnections: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Any

    /// nil once the server ends.
    private let channels = Mutex<[ObjectIdentifier: any Channel]?>([:])

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        let isServed = channels.withLock { channels in
            channels?[ObjectIdentifier(channel)] = channel
            return channels != nil
        }
        // It was accepted before the listener closed.
        if !isServed { channel.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        channels.withLock { _ = $0?.removeValue(forKey: ObjectIdentifier(context.channel)) }
        context.fireChannelInactive()
    }

    /// Closes the listener and all connections, and returns once all are closed.
    func close(with listener: any Channel) async {
        let closed = listener.eventLoop.flatSubmit { [self] in
            let open = channels.withLock { channels in
                defer { channels = nil }
                return channels.map { Array($0.values) } ?? []
            }
            let all = [listener] + open
            for channel in all { channel.close(promise: nil) }
            return EventLoopFuture.andAllComplete(all.map(\.closeFuture), on: listener.eventLoop)
        }
        try? await closed.get()
    }
}
