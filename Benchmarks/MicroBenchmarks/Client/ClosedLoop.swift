import NIOCore
import NIOHTTP1
import NIOPosix

/// A load of so many keep-alive connections, each of which asks again as soon as it was answered.
///
/// All of them are on one event loop, so the client never takes more than one core from the server.
struct ClosedLoop: Sendable {
    let port: Int
    let connections: Int
    /// The server's, whose processor time is measured.
    let clock: ProcessorClock

    /// Keeps `conversation` going for `duration`; connecting and closing are not in the measurement.
    ///
    /// - Throws: ``BenchmarkFailure`` as soon as any answer is not what it should be.
    func run(_ conversation: some Conversation, for duration: Duration) async throws -> Measurement {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        var channels: [any Channel] = []
        var outcomes: [EventLoopFuture<Int>] = []
        defer { for channel in channels { channel.close(promise: nil) } }
        for _ in 0..<connections {
            let outcome = loop.makePromise(of: Int.self)
            outcomes.append(outcome.futureResult)
            channels.append(try await connect(conversation, outcome, on: loop))
        }
        let watch = try Stopwatch(clock)
        let deadline = NIODeadline.now() + .microseconds(Int64(duration.microseconds))
        for channel in channels {
            channel.pipeline.fireUserInboundEventTriggered(ClosedLoopStart(deadline: deadline))
        }
        let answers = try await EventLoopFuture.reduce(0, outcomes, on: loop, +).get()
        return try watch.stop(after: answers)
    }

    private func connect(
        _ conversation: some Conversation, _ outcome: EventLoopPromise<Int>, on loop: any EventLoop
    ) async throws -> any Channel {
        do {
            return try await ClientBootstrap(group: loop)
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(ClosedLoopHandler(conversation, outcome))
                    }
                }
                .connect(host: "127.0.0.1", port: port).get()
        } catch {
            outcome.fail(error)
            throw error
        }
    }
}
