import NIOCore
import NIOHTTP1
import Synchronization

/// Tells a connection to begin.
struct LoadStart: Sendable {
    let schedule: Schedule
}

/// One connection of a ``Load``: asks when the schedule says so, one question at a time.
///
/// A question that is due while all connections wait for answers goes out late, and its latency still counts from when
/// it was due: a server that stalls cannot keep the client from noticing (no coordinated omission).
final class ConversationHandler<Subject: Conversation>: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let client: LoadClient<Subject>
    private var finished: EventLoopPromise<Void>?
    private var asked = 0
    private var schedule: Schedule?
    private var pending: (turn: Subject.Turn, due: NIODeadline)?
    private var status = HTTPResponseStatus.ok
    private var body = ByteBuffer()

    init(of client: LoadClient<Subject>, finished: EventLoopPromise<Void>) {
        self.client = client
        self.finished = finished
    }

    private var results: LoadResults { client.results }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let start = event as? LoadStart else { return context.fireUserInboundEventTriggered(event) }
        schedule = start.schedule
        proceed(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = head.status
            body.clear()
        case .body(var part): body.writeBuffer(&part)
        case .end:
            takeAnswer()
            proceed(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        giveUp("\(error)")
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        giveUp("the server closed a connection")
        context.fireChannelInactive()
    }

    private func proceed(_ context: ChannelHandlerContext) {
        guard asked < LoadClient<Subject>.questionsPerAddress else { return handOver(context) }
        guard let due = schedule?.next() else { return finish() }
        guard due > .now() else { return ask(context, due) }
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let handler = NIOLoopBound(self, eventLoop: context.value.eventLoop)
        context.value.eventLoop.scheduleTask(deadline: due) { handler.value.ask(context.value, due) }
    }

    /// Closes the connection, and has another one of the client take its place.
    private func handOver(_ context: ChannelHandlerContext) {
        guard let finished, let schedule else { return }
        self.finished = nil
        context.close(promise: nil)
        client.connect(finished: finished).whenComplete { [results] outcome in
            switch outcome {
            case .success(let channel): channel.pipeline.fireUserInboundEventTriggered(LoadStart(schedule: schedule))
            case .failure(let error):
                results.update { $0.fail("closed", "\(error)") }
                finished.succeed()
            }
        }
    }

    private func ask(_ context: ChannelHandlerContext, _ due: NIODeadline) {
        // The connection may have been lost while it waited.
        guard finished != nil else { return }
        guard let question = client.conversation.ask() else {
            results.update { $0.exhausted += 1 }
            return finish()
        }
        asked += 1
        pending = (question.turn, due)
        var head = question.head
        if let body = question.body { head.headers.add(name: "Content-Length", value: String(body.readableBytes)) }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body = question.body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func takeAnswer() {
        guard let (turn, due) = pending else { return }
        pending = nil
        let now = NIODeadline.now()
        let latency = Duration.since(due, until: now)
        do {
            guard (200..<300).contains(status.code) else {
                let text = String(buffer: body).prefix(300)
                return results.update { $0.fail("\(status.code)", "status \(status.code): \(text)") }
            }
            try client.conversation.accept(body, of: turn)
            results.update { result in
                result.answers += 1
                result.latencies.record(latency)
                if let slowness = client.slowness, latency > slowness {
                    result.stalls.append(Stall(from: due, to: now))
                }
            }
        } catch {
            results.update { $0.fail("body", "\(error)") }
        }
    }

    /// Ends a connection that was lost before the schedule ended.
    private func giveUp(_ reason: String) {
        guard finished != nil else { return }
        results.update { $0.fail("closed", reason) }
        finish()
    }

    private func finish() {
        finished?.succeed()
        finished = nil
    }
}

/// What the connections of a load have come to so far.
final class LoadResults: Sendable {
    private let state = Mutex(LoadResult())

    var result: LoadResult { state.withLock { $0 } }

    func update(_ change: (inout LoadResult) -> Void) { state.withLock { change(&$0) } }
}
