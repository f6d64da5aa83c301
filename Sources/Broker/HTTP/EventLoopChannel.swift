import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// HTTP/1.1 connections whose requests are answered on their own event loop.
///
/// On Swift's pool each part of a request would cross to another thread, and the answer would cross back. Work that
/// takes long must leave the event loop, because all connections of the loop wait for it.
struct EventLoopChannel: ServerChildChannel {
    /// One connection.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// Succeeds once the connection has ended and no request of it is being answered.
        let end: EventLoopFuture<Void>
    }

    /// The time that one request may take.
    let deadline: TimeAmount
    /// The time after which a connection on which nothing arrives is closed.
    let idleTimeout: TimeAmount
    let clientAddress: ClientAddress
    var shares: ConnectionShares?
    let respond: RequestHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = 16 << 10
            limits.maxHeaderListSize = 16 << 10
            limits.maxHeaderFieldCount = 100
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: true,
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
            try pipeline.addHandler(ConnectionHandler(limit: deadline, idleTimeout: idleTimeout, shares: shares))
            let requests = RequestHandler(on: channel.eventLoop, clientAddress: clientAddress, respond: respond)
            try pipeline.addHandler(requests)
            return Value(channel: channel, end: requests.end)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            // It does not fail.
            try? await value.end.get()
        } onCancel: {
            value.channel.close(mode: .input, promise: nil)
        }
    }
}

/// An event loop as the executor of tasks.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
