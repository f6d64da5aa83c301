import NIOCore
import NIOPosix

/// Connections that send requests without waiting for answers (RFC 9112 §9.3.2), and connect again when the server ends
/// them: what a server has to bear beside the load that is measured.
package struct PipeliningFlood: Sendable {
    private let port: Int
    private let connections: Int

    /// - Parameters:
    ///   - port: Where the server listens, at 127.0.0.1.
    ///   - connections: How many there are at a time.
    package init(port: Int, connections: Int) {
        self.port = port
        self.connections = connections
    }

    /// Goes on, on a thread of its own, as long as `work` takes.
    package func during<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let result: Result<Value, any Error> = await withTaskGroup { tasks in
            for _ in 0..<connections { tasks.addTask { await flood(on: group.next()) } }
            defer { tasks.cancelAll() }
            do {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        try await group.shutdownGracefully()
        return try result.get()
    }

    private func flood(on loop: any EventLoop) async {
        while !Task.isCancelled {
            let channel = try? await ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(FloodHandler())
                    }
                }
                .connect(host: "127.0.0.1", port: port).get()
            guard let channel else { continue }
            await withTaskCancellationHandler {
                try? await channel.closeFuture.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        }
    }
}

/// Writes as long as the socket takes anything, and reads past the answers.
private final class FloodHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let requests = ByteBuffer(
        string: String(repeating: "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", count: 1500))

    func channelActive(context: ChannelHandlerContext) { send(context) }

    func channelWritabilityChanged(context: ChannelHandlerContext) { send(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func send(_ context: ChannelHandlerContext) {
        while context.channel.isActive, context.channel.isWritable {
            context.writeAndFlush(wrapOutboundOut(Self.requests), promise: nil)
        }
    }
}
