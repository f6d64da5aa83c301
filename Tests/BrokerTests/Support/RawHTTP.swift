import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Bytes over a socket, for requests no client library would send.
enum RawHTTP {
    /// The status of the answer; `nil` when the server closed the connection without one.
    static func status(_ url: String, _ request: String) async throws -> Int? {
        guard let port = URL(string: url)?.port else { throw TestFailure("no port in \(url)") }
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var text = ""
            do {
                for try await part in inbound {
                    text += String(buffer: part)
                    if text.contains("\r\n") { break }
                }
            } catch is IOError {
                // A reset is a refusal as well.
            }
            let words = text.split(separator: " ")
            return words.count > 1 ? Int(words[1]) : nil
        }
    }

    /// Everything the server answers until it closes the connection.
    static func answers(_ url: String, _ request: String) async throws -> String {
        let connection = try await RawConnection(url)
        try await connection.send(request)
        return try await connection.rest()
    }
}

/// One connection to a server, open until the server or the test closes it.
final class RawConnection: Sendable {
    private let channel: any Channel
    private let received: ReceivedText

    init(_ url: String) async throws {
        guard let port = URL(string: url)?.port else { throw TestFailure("no port in \(url)") }
        let received = ReceivedText()
        self.received = received
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { $0.pipeline.addHandler(received) }
            .connect(host: "127.0.0.1", port: port).get()
    }

    func send(_ text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text)).get()
    }

    /// Asks for a document and returns its answer's head, or an empty text when the server has closed the connection.
    func get(_ path: String) async throws -> String {
        received.clear()
        try await send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return await received.text { $0.contains("}") }
    }

    /// What has come by the time the server closes the connection.
    func rest() async throws -> String { await received.text { _ in false } }

    func close() async throws { try await channel.close() }
}

/// What a connection has received, and a way to wait for more.
private final class ReceivedText: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private struct State {
        var text = ""
        var isComplete = false
        var waiting: (isEnough: @Sendable (String) -> Bool, continuation: CheckedContinuation<String, Never>)?
    }

    private let state = Mutex(State())

    func clear() { state.withLock { $0.text = "" } }

    /// The text once it is enough, or complete.
    func text(where isEnough: @escaping @Sendable (String) -> Bool) async -> String {
        await withCheckedContinuation { continuation in
            update { $0.waiting = (isEnough, continuation) }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = String(buffer: unwrapInboundIn(data))
        update { $0.text += text }
    }

    func channelInactive(context: ChannelHandlerContext) { update { $0.isComplete = true } }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func update(_ change: (inout State) -> Void) {
        let reached = state.withLock { state -> (CheckedContinuation<String, Never>, String)? in
            change(&state)
            guard let waiting = state.waiting, state.isComplete || waiting.isEnough(state.text) else { return nil }
            state.waiting = nil
            return (waiting.continuation, state.text)
        }
        reached.map { $0.0.resume(returning: $0.1) }
    }
}
