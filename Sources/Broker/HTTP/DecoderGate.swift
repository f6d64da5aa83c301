import NIOCore
import NIOHTTP1

/// Passes bytes to the HTTP decoder in small portions, and none once the connection takes no further request.
///
/// The decoder does not stop within one buffer, and pipelined requests can be as small as forty bytes.
final class DecoderGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The size of a portion in bytes: most requests without a body are smaller.
    static let portion = 1024

    private let connection: ConnectionHandler

    init(_ connection: ConnectionHandler) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        while !connection.isDropping, let part = buffer.readSlice(length: min(buffer.readableBytes, Self.portion)),
            part.readableBytes > 0
        {
            context.fireChannelRead(wrapInboundOut(part))
        }
    }
}
