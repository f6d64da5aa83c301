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

    /// Sends `bytes`, ends the output, and reads until the server ends its own.
    ///
    /// By blocking calls: NIO discards what it has not read yet when a write fails, as it does once the server has refused
    /// a request and closed the connection. With `others` the output is ended once the answer has begun, and the rest of
    /// the answer is read after these exchanges of their own.
    static func exchange(_ url: String, _ bytes: [UInt8], before others: [[UInt8]] = []) async throws -> String {
        guard let port = URL(string: url)?.port, let port = UInt16(exactly: port) else {
            throw TestFailure("no port in \(url)")
        }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try blockingExchange(port, bytes, before: others) })
            }
        }
    }

    private static func blockingExchange(
        _ port: UInt16, _ bytes: [UInt8], before others: [[UInt8]] = []
    ) throws -> String {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw TestFailure("no socket") }
        defer { Glibc.close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw TestFailure("no connection to port \(port)") }
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // The server has closed the connection.
            guard sent > 0 else { break }
            rest = rest.dropFirst(sent)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        if !others.isEmpty { recv(socket, &buffer, 1, Int32(MSG_PEEK)) }
        shutdown(socket, Int32(SHUT_WR))
        for other in others { _ = try blockingExchange(port, other) }
        var answer: [UInt8] = []
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
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
