import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// HTTP/1.1 connections whose requests are answered on their own event loop.
///
/// On Swift's pool each part of a request would cross to another thread, and the answer would cross back. Work that
/// takes long must leave the event loop, because all connections of the loop wait for it.
struct EventLoopChannel: ServerChildChannel {
    typealias Responder =
        @Sendable @concurrent (Request, consuming ResponseWriter, ClientConnection) async throws -> Void

    let configuration: HTTP1Channel.Configuration
    let clientAddress: ClientAddress
    let respond: Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        HTTP1Channel(responder: { _, _, _ in }, configuration: configuration).setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        let connection = clientAddress.connection(of: value.channel)
        let channel = HTTP1Channel(
            responder: { [respond] request, writer, _ in try await respond(request, writer, connection) },
            configuration: configuration)
        // SE-0417: asynchronous functions that name no executor run on this one.
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await channel.handle(value: value, logger: logger)
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
