import NIOCore
import NIOPosix

/// Clients with so many keep-alive connections at a time, all of them on one thread, so that they never take more than one
/// core from the servers. Each connection comes from an address of its own and is replaced after 500 questions, since
/// servers limit what one address may ask.
package struct Load: Sendable {
    /// Where the servers listen, at 127.0.0.1; connections go to them in turn.
    package let ports: [Int]
    package let connections: Int
    /// Answers that take longer are kept one by one, beside the histogram; none when absent.
    package let slowness: Duration?

    package init(ports: [Int], connections: Int, noticing slowness: Duration? = nil) {
        self.ports = ports
        self.connections = connections
        self.slowness = slowness
    }

    /// Keeps `conversation` going at `pace`.
    ///
    /// - Parameters:
    ///   - conversation: what is asked.
    ///   - pace: when.
    ///   - began: called when all connections are there and the first questions are about to be sent.
    ///   - ended: called when the last one was answered; closing is not in the measurement either.
    /// - Returns: what came of it.
    /// - Throws: when a server cannot be reached. What it answers is counted, never thrown.
    package func run(
        _ conversation: some Conversation, at pace: Pace, began: () throws -> Void = {},
        ended: () throws -> Void = {}
    ) async throws -> LoadResult {
        let results = LoadResults()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let (channels, outcomes) = try await connect(conversation, results, on: group.next())
            try began()
            let schedule = Schedule(pace, from: .now())
            for channel in channels {
                channel.pipeline.fireUserInboundEventTriggered(LoadStart(schedule: schedule))
            }
            for outcome in outcomes { try await outcome.get() }
            try ended()
            try await group.shutdownGracefully()
            return Self.complete(results.result, schedule)
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
    }

    private func connect(
        _ conversation: some Conversation, _ results: LoadResults, on loop: any EventLoop
    ) async throws -> (channels: [any Channel], outcomes: [EventLoopFuture<Void>]) {
        var channels: [any Channel] = []
        var outcomes: [EventLoopFuture<Void>] = []
        for number in 0..<connections {
            let finished = loop.makePromise(of: Void.self)
            outcomes.append(finished.futureResult)
            let client = LoadClient(
                conversation: conversation, results: results, loop: loop, port: ports[number % ports.count],
                slowness: slowness)
            do {
                channels.append(try await client.connect(finished: finished).get())
            } catch {
                finished.succeed()
                throw error
            }
        }
        return (channels, outcomes)
    }

    /// Counts what was due and never sent with the least it would have taken.
    private static func complete(_ result: LoadResult, _ schedule: Schedule) -> LoadResult {
        var result = result
        for delay in schedule.overdue() {
            result.fail("unsent", "the server did not keep up: questions that were due were never sent")
            result.latencies.record(delay)
        }
        return result
    }
}
