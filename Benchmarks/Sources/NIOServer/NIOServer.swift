import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A yardstick: what the bare route costs with NIO and its HTTP codec alone, answered by a channel handler.
///
/// Prints `{"port": …}` once it listens, and ends when its standard input does.
@main
struct NIOServer {
    static func main() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(HelloHandler())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        FileHandle.standardOutput.write(Data("{\"port\":\(server.localAddress?.port ?? 0)}\n".utf8))
        Thread.detachNewThread {
            _ = FileHandle.standardInput.availableData
            exit(0)
        }
        try await server.closeFuture.get()
    }
}

private final class HelloHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let headers: HTTPHeaders = ["Content-Length": "2", "Content-Type": "text/plain; charset=utf-8"]
    private static let body = ByteBuffer(string: "ok")

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: Self.headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(Self.body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
