import NIOCore
import NIOHTTP1

/// Tells a connection to begin, and when to stop asking.
struct ClosedLoopStart: Sendable {
    let deadline: NIODeadline
}

/// One connection of a ``ClosedLoop``.
final class ClosedLoopHandler<Subject: Conversation>: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let conversation: Subject
    /// How many questions were answered; failed by the first wrong answer.
    private var outcome: EventLoopPromise<Int>?
    private var deadline = NIODeadline.distantPast
    private var turn: Subject.Turn?
    private var status = HTTPResponseStatus.ok
    private var body = ByteBuffer()
    private var answers = 0

    init(_ conversation: Subject, _ outcome: EventLoopPromise<Int>) {
        self.conversation = conversation
        self.outcome = outcome
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let start = event as? ClosedLoopStart else { return context.fireUserInboundEventTriggered(event) }
        deadline = start.deadline
        ask(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = head.status
            body.clear()
        case .body(var part): body.writeBuffer(&part)
        case .end:
            do {
                try takeAnswer()
            } catch {
                return finish(.failure(error))
            }
            guard NIODeadline.now() < deadline else { return finish(.success(answers)) }
            ask(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.failure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(BenchmarkFailure("the server closed a connection")))
        context.fireChannelInactive()
    }

    private func ask(_ context: ChannelHandlerContext) {
        var (head, body, turn) = conversation.ask()
        self.turn = turn
        if let body { head.headers.add(name: "Content-Length", value: String(body.readableBytes)) }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func takeAnswer() throws {
        guard status == .ok else {
            throw BenchmarkFailure("the server answers \(status.code): \(String(buffer: body).prefix(300))")
        }
        guard let turn else { throw BenchmarkFailure("an answer nobody asked for") }
        try conversation.accept(body, of: turn)
        answers += 1
    }

    private func finish(_ result: Result<Int, any Error>) {
        outcome?.completeWith(result)
        outcome = nil
    }
}
