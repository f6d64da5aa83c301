import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends a connection whose request is not received and answered within the limit, however slowly its body trickles in:
/// the server's own idle timer starts anew with every byte.
///
/// A request is over when its body has arrived and its answer has left. An answer that leaves first closes the
/// connection, so nobody pours an endless body into a refusal.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private struct Exchange {
        let deadline: Scheduled<Void>
        var isReceived = false
    }

    private let limit: TimeAmount
    /// Unfinished requests, oldest first; a client may send several before the first is answered.
    private var exchanges: [Exchange] = []

    init(limit: TimeAmount) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            let channel = context.channel
            exchanges.append(
                Exchange(deadline: context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }))
        case .end:
            if let last = exchanges.indices.last { exchanges[last].isReceived = true }
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let isEarly = exchanges.first?.isReceived == false
        switch unwrapOutboundIn(data) {
        case .head(var head) where isEarly:
            head.headerFields[.connection] = "close"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            if !exchanges.isEmpty { exchanges.removeFirst().deadline.cancel() }
            guard isEarly else { return context.write(data, promise: promise) }
            context.writeAndFlush(data, promise: promise)
            context.close(promise: nil)
        case .head, .body: context.write(data, promise: promise)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cancel()
    }

    private func cancel() {
        for exchange in exchanges { exchange.deadline.cancel() }
        exchanges = []
    }
}
