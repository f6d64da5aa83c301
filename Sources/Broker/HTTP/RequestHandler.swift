import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The requests of one connection: each begins when the one before it is answered, and the answers leave in order.
///
/// Nearly every request arrives in one read and has its body in one buffer. Any other begins as well once everything that
/// was read is decoded, with a stream for the rest of its body, so that it can be refused before that has come.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    /// The answer to a request, or what it takes to have it.
    enum Answer: Sendable {
        /// It is at hand.
        case immediate(Response)
        case awaited(@Sendable @concurrent () async -> Response)
    }

    /// It is called on the event loop of the connection, which waits for it.
    typealias Responder = @Sendable (Request, ClientConnection) -> Answer

    /// The number of bytes of waiting bodies from which on nothing is read.
    static let maximumWaiting = 64 << 10

    private struct Incoming {
        let head: HTTPRequestHead
        var body: ByteBuffer?
        var isComplete = false
    }

    private let clientAddress: ClientAddress
    private let executor: EventLoopExecutor
    private let respond: Responder
    private let ended: EventLoopPromise<Void>

    /// Oldest first; the last one may be incomplete.
    private var waiting = CircularBuffer<Incoming>()
    private var waitingBytes = 0
    private var connection: ClientConnection?
    private var isAnswering = false
    /// The rest of the body of the request that is being answered.
    private var rest: RequestStream?
    private var isReadPaused = false
    /// What the client sent and is no request.
    private var inputError: (any Error)?
    private var isWriting = false
    /// Written answers are sent at the end of this turn of the loop.
    private var isFlushDue = false
    /// The connection ends with an answer that was written.
    private var isRefused = false
    private var hasLeft = false

    /// - Parameters:
    ///   - eventLoop: The loop of the connection, on which requests are answered.
    ///   - clientAddress: What knows the client of a connection.
    ///   - respond: What answers a request.
    init(on eventLoop: any EventLoop, clientAddress: ClientAddress, respond: @escaping Responder) {
        self.clientAddress = clientAddress
        self.respond = respond
        executor = EventLoopExecutor(eventLoop)
        ended = eventLoop.makePromise()
    }

    /// Succeeds once the connection has ended and no request of it is being answered.
    var end: EventLoopFuture<Void> { ended.futureResult }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): waiting.append(Incoming(head: head))
        case .body(var bytes):
            guard let last = waiting.indices.last else {
                rest?.append(bytes)
                return
            }
            waitingBytes += bytes.readableBytes
            waiting[last].body.setOrWriteBuffer(&bytes)
        case .end:
            guard let last = waiting.indices.last else {
                rest?.finish()
                rest = nil
                return
            }
            waiting[last].isComplete = true
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        proceed(context)
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        proceed(context)
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        guard waitingBytes < Self.maximumWaiting, rest?.isFull != true else {
            isReadPaused = true
            return
        }
        context.read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The decoder drops what follows its error, with a further error for each part.
        guard inputError == nil || isWriting else { return }
        // The validation of answers reports its error here too. The client has no answer then, and must not take the next
        // one for it.
        guard error is HTTPParserError, !isWriting else {
            rest?.finish(error)
            context.close(promise: nil)
            return
        }
        inputError = error
        if waiting.isEmpty { rest?.finish(error) }
        proceed(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
    }
}

extension RequestHandler {
    /// Begins the next request. After the last one, what is no request ends the connection.
    private func proceed(_ context: ChannelHandlerContext) {
        guard !isAnswering, !isRefused, context.channel.isActive, context.channel.isWritable else { return }
        if let next = waiting.popFirst() {
            begin(next, context)
        } else if inputError != nil {
            refuse(context)
        }
        resumeReading(context)
    }

    private func begin(_ next: Incoming, _ context: ChannelHandlerContext) {
        let head: HTTPRequest
        do {
            head = try HTTPRequest(next.head)
        } catch {
            return refuse(context)
        }
        waitingBytes -= next.body?.readableBytes ?? 0
        isAnswering = true
        let request = Request(head: head, body: body(of: next, context))
        let connection = connection ?? clientAddress.connection(of: context.channel)
        self.connection = connection
        switch respond(request, connection) {
        case .immediate(let response): answer(response, context)
        case .awaited(let response):
            let place = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
            Task(executorPreference: executor) {
                let response = await response()
                let (handler, context) = place.value
                handler.answer(response, context)
            }
        }
    }

    private func body(of next: Incoming, _ context: ChannelHandlerContext) -> RequestBody {
        guard !next.isComplete else { return .whole(next.body ?? ByteBuffer()) }
        let place = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let stream = RequestStream { [eventLoop = context.eventLoop] in
            eventLoop.execute {
                let (handler, context) = place.value
                handler.rest?.isFull = false
                handler.resumeReading(context)
            }
        }
        rest = stream
        if let arrived = next.body { rest?.append(arrived) }
        if let inputError { rest?.finish(inputError) }
        return .stream(stream.sequence)
    }

    private func answer(_ response: Response, _ context: ChannelHandlerContext) {
        isAnswering = false
        rest = nil
        guard context.channel.isActive else { return leave() }
        isWriting = true
        context.write(wrapOutboundOut(.head(HTTPResponseHead(response.head))), promise: nil)
        if response.body.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        isWriting = false
        flushLater(context)
        proceed(context)
    }

    /// Sends what is written once the loop has done what is at hand: between the requests of other connections it would cost
    /// them more (Docs/Decisions/0069-answers-at-the-end-of-a-turn.md).
    private func flushLater(_ context: ChannelHandlerContext) {
        guard !isFlushDue else { return }
        isFlushDue = true
        let place = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let (handler, context) = place.value
            handler.isFlushDue = false
            if context.channel.isActive { context.flush() }
        }
    }

    /// Answers what is no request, and ends the connection.
    private func refuse(_ context: ChannelHandlerContext) {
        isRefused = true
        let head = HTTPResponseHead(
            version: .http1_1, status: .badRequest, headers: ["Connection": "close", "Content-Length": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        // Closing discards what has not left.
        written.futureResult.whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    private func resumeReading(_ context: ChannelHandlerContext) {
        guard isReadPaused, waitingBytes < Self.maximumWaiting, rest?.isFull != true else { return }
        isReadPaused = false
        context.read()
    }

    private func leave() {
        waiting.removeAll()
        rest?.finish(ChannelError.inputClosed)
        rest = nil
        guard !isAnswering, !hasLeft else { return }
        hasLeft = true
        ended.succeed()
    }
}

/// The rest of a request's body, which arrives while the request is being answered.
struct RequestStream {
    struct Delegate: NIOAsyncSequenceProducerDelegate {
        fileprivate let onDemand: @Sendable () -> Void

        func produceMore() { onDemand() }

        func didTerminate() { onDemand() }
    }

    typealias Sequence = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, Delegate
    >

    let sequence: Sequence
    /// Whether what has arrived should be used first.
    var isFull = false
    private let source: Sequence.Source

    /// - Parameter onDemand: Called when there is room again, and when the reader is gone, on any thread.
    init(onDemand: @escaping @Sendable () -> Void) {
        // Parts have at most the size of a portion that the decoder gets.
        let made = Sequence.makeSequence(
            backPressureStrategy: .init(lowWatermark: 8, highWatermark: 32), finishOnDeinit: true,
            delegate: Delegate(onDemand: onDemand))
        (sequence, source) = (made.sequence, made.source)
    }

    mutating func append(_ bytes: ByteBuffer) {
        isFull = source.yield(bytes) == .stopProducing
    }

    func finish() { source.finish() }

    func finish(_ error: any Error) { source.finish(error) }
}
