import NIOCore
import NIOHTTP1

/// Hands the decoder a little at a time, and nothing once the connection takes no further request: the decoder stops
/// for nobody within one buffer, and requests sent ahead are as small as forty bytes.
final class DecoderGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The most bytes between two looks: most requests without a body are smaller.
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
