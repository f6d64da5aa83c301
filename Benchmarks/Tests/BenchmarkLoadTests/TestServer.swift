import NIOCore
import NIOHTTP1
import NIOPosix

/// A server that answers as a test wants it.
struct TestServer: Sendable {
    enum Reply: Sendable {
        case answer(status: HTTPResponseStatus = .ok, body: String = "ok", after: TimeAmount = .zero)
        /// The address the question came from.
        case address
        case close
    }

    let port: Int

    /// Lends it to `body` and stops it.
    static func run<Value>(
        _ reply: @escaping @Sendable (_ body: String) -> Reply, _ body: (TestServer) async throws -> Value
    ) async throws -> Value {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(ReplyHandler(reply))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let value = try await body(TestServer(port: channel.localAddress?.port ?? 0))
            try await channel.close()
            return value
        } catch {
            try await channel.close()
            throw error
        }
    }
}

private final class ReplyHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let reply: @Sendable (String) -> TestServer.Reply
    private var body = ByteBuffer()

    init(_ reply: @escaping @Sendable (String) -> TestServer.Reply) {
        self.reply = reply
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: body.clear()
        case .body(var part): body.writeBuffer(&part)
        case .end:
            switch reply(String(buffer: body)) {
            case .close: context.close(promise: nil)
            case .address: Self.answer(.ok, context.remoteAddress?.ipAddress ?? "", context)
            case .answer(let status, let text, let delay):
                let context = NIOLoopBound(context, eventLoop: context.eventLoop)
                context.value.eventLoop.scheduleTask(in: delay) { Self.answer(status, text, context.value) }
            }
        }
    }

    private static func answer(_ status: HTTPResponseStatus, _ text: String, _ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(
            version: .http1_1, status: status, headers: ["Content-Length": String(text.utf8.count)])
        context.write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
        context.write(NIOAny(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        context.writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
    }
}
