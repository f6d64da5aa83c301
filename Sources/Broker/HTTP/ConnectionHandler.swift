import NIOCore
import NIOHTTP1

/// One client connection: how many requests it may have open, how long each may take, how long it may be idle, and how it
/// ends.
///
/// - A request is open until its body has arrived and its answer has left. At most ``maximumOpenRequests`` are decoded
///   ahead of their answers (pipelining, RFC 9112 §9.3.2): reading pauses there, and what was decoded beyond is dropped;
///   the last answer then carries `Connection: close`.
/// - The oldest open request has a deadline, however slowly its body trickles in, and a connection on which nothing
///   arrives is closed, unless it waits for an answer. One timer serves all of it, since cancelling one searches all timers
///   of the event loop.
/// - A request that says `Connection: close`, or is of HTTP/1.0, is the last one (RFC 9112 §9.6).
/// - An answer that leaves before its request is complete closes the connection, so that no endless body is poured into
///   a refusal.
/// - In a graceful shutdown open requests are answered, the last one with `Connection: close`; an idle one that
///   has answered before stays for ``linger``, since its client may be sending a request at this moment.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The maximum number of requests of one connection that are decoded ahead of their answers.
    static let maximumOpenRequests = 16
    /// The time an idle connection stays open after a graceful shutdown began.
    static let linger = TimeAmount.seconds(2)
    /// The most bytes that are read at once.
    static let maximumRead = 8 << 10

    private struct DeadlineReached: Sendable {}

    private struct OpenRequest {
        let deadline: NIODeadline
        var isReceived = false
    }

    private let limit: TimeAmount
    private let idleTimeout: TimeAmount
    private let shares: ConnectionShares?
    /// This connection among those of its client; nil before it is active.
    private var share: ConnectionShares.Connection?
    /// Oldest first.
    private var requests = CircularBuffer<OpenRequest>()
    /// The number of the oldest ones whose answers are written and have not left wholly.
    private var answered = 0
    private var timer: (due: NIODeadline, task: Scheduled<Void>)?
    /// The time at which the connection began, or something of a request came, or an answer left.
    private var activeAt = NIODeadline.distantPast
    private var isReadPaused = false
    /// No further request is taken.
    private var isDraining = false
    /// A request was not taken; what follows belongs to it or comes after it.
    private(set) var isDropping = false
    /// `Connection: close` was sent.
    private var isClosing = false
    /// The end of an idle connection in a graceful shutdown.
    private var lingersUntil: NIODeadline?
    private var isShuttingDown = false
    private var hasAnswered = false

    /// - Parameters:
    ///   - limit: How long a request may take, answer included.
    ///   - idleTimeout: How long nothing may arrive while no answer is awaited.
    ///   - shares: What bounds the connections of one client.
    init(limit: TimeAmount, idleTimeout: TimeAmount, shares: ConnectionShares? = nil) {
        self.limit = limit
        self.idleTimeout = idleTimeout
        self.shares = shares
    }

    func handlerAdded(context: ChannelHandlerContext) {
        try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        try? context.channel.syncOptions?.setOption(
            .recvAllocator,
            value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: Self.maximumRead))
        surroundDecoder(context)
        if context.channel.isActive { join(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        join(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDropping else { return }
        activeAt = context.eventLoop.now
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard takesRequest else {
                (isDraining, isDropping) = (true, true)
                return
            }
            if head.version != .http1_1 || !head.isKeepAlive { isDraining = true }
            requests.append(OpenRequest(deadline: context.eventLoop.now + limit))
            share?.isIdle = false
            schedule(context)
        case .end:
            if let last = requests.indices.last { requests[last].isReceived = true }
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        guard mayRead else {
            isReadPaused = true
            return
        }
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where endsWithThisAnswer:
            isClosing = true
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end where unanswered > 0: end(context, data, promise)
        case .head, .body, .end: context.write(data, promise: promise)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is DeadlineReached:
            timer = nil
            checkDeadline(context)
        case is ChannelShouldQuiesceEvent:
            isShuttingDown = true
            guard requests.isEmpty else { break }
            // The server may not have taken it up yet, and then never does: a channel dropped open ends the process.
            hasAnswered ? stay(context) : context.close(promise: nil)
        case is ConnectionShares.Eviction:
            isDraining = true
            if requests.isEmpty { context.close(promise: nil) }
        case ChannelEvent.inputClosed:
            // The client may still wait for its answers, and closing either side now discards what has not left.
            isDraining = true
            if requests.isEmpty { context.close(promise: nil) }
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
    }
}

extension ConnectionHandler {
    private var takesRequest: Bool {
        guard !isDraining, !isClosing else { return false }
        return unanswered == 0 || !isShuttingDown && unanswered < Self.maximumOpenRequests
    }

    /// Whether what is read belongs to a request that is taken.
    private var mayRead: Bool {
        isDraining ? requests.last?.isReceived == false : unanswered < Self.maximumOpenRequests
    }

    private var unanswered: Int { requests.count - answered }

    /// Whether the body of the request that is answered now has not arrived.
    private var isEarly: Bool { requests.dropFirst(answered).first?.isReceived == false }

    private var endsWithThisAnswer: Bool {
        isEarly || unanswered <= 1 && (isDraining || isShuttingDown)
    }

    /// The end of an answer.
    private func end(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        hasAnswered = true
        // The head of this answer may have left before the connection began to drain.
        if isEarly || unanswered <= 1 && isDraining { isClosing = true }
        answered += 1
        let written = promise ?? context.eventLoop.makePromise()
        let place = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in
            let (handler, context) = place.value
            handler.answerLeft(context)
        }
        isClosing ? context.writeAndFlush(data, promise: written) : context.write(data, promise: written)
    }

    /// Ends the connection with its last answer, or goes on.
    private func answerLeft(_ context: ChannelHandlerContext) {
        // The connection may have ended meanwhile.
        guard requests.popFirst() != nil else { return }
        answered -= 1
        activeAt = context.eventLoop.now
        if requests.isEmpty {
            guard !isClosing, !isDraining else { return context.close(promise: nil) }
            share?.isIdle = true
            if isShuttingDown { stay(context) }
        }
        schedule(context)
        guard isReadPaused, mayRead else { return }
        isReadPaused = false
        context.read()
    }

    /// Waits for a request that may be in transit during a graceful shutdown.
    private func stay(_ context: ChannelHandlerContext) {
        lingersUntil = context.eventLoop.now + Self.linger
        schedule(context)
    }

    /// The time at which the connection is closed if nothing happens.
    private var due: NIODeadline? {
        let deadline = requests.first?.deadline ?? lingersUntil
        guard requests.last?.isReceived != true else { return deadline }
        return min(deadline ?? .distantFuture, activeAt + idleTimeout)
    }

    /// Sees that the timer fires at the next deadline or before.
    private func schedule(_ context: ChannelHandlerContext) {
        guard let due else { return }
        if let timer {
            guard due < timer.due else { return }
            timer.task.cancel()
        }
        let channel = context.channel
        let task = context.eventLoop.scheduleTask(deadline: due) {
            channel.pipeline.fireUserInboundEventTriggered(DeadlineReached())
        }
        timer = (due, task)
    }

    private func checkDeadline(_ context: ChannelHandlerContext) {
        guard let due else { return }
        guard due > context.eventLoop.now else { return context.close(promise: nil) }
        schedule(context)
    }

    /// A pipeline without a decoder, as in tests of this handler alone, stays as it is.
    private func surroundDecoder(_ context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        guard let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else { return }
        do {
            try pipeline.addHandler(DecoderGate(self), position: .before(decoder))
        } catch {
            // Only a channel that is closing already refuses handlers.
            context.fireErrorCaught(error)
        }
    }

    private func join(_ context: ChannelHandlerContext) {
        activeAt = context.eventLoop.now
        schedule(context)
        guard share == nil, let shares else { return }
        switch shares.admit(context.channel) {
        case .admitted(let connection): share = connection
        case .refused: context.close(promise: nil)
        }
    }

    private func leave() {
        timer?.task.cancel()
        timer = nil
        if let share { shares?.remove(share) }
        share = nil
        requests.removeAll()
        answered = 0
    }
}
