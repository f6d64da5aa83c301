import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

import class HummingbirdCore.Server

@testable import Broker

@Suite("requests on their event loop")
struct RequestHandlerTests {
    private typealias Respond = @Sendable (Request, ClientConnection) async -> Response

    /// Serves `respond` on a port of its own.
    private static func serve(
        _ respond: @escaping Respond, _ test: (String) async throws -> Void
    ) async throws {
        try await serve(answering: { request, connection in .awaited { await respond(request, connection) } }, test)
    }

    private static func serve(
        answering respond: @escaping RequestHandler.Responder, _ test: (String) async throws -> Void
    ) async throws {
        let channel = EventLoopChannel(
            deadline: .seconds(30), idleTimeout: .seconds(15), clientAddress: ClientAddress(trustedProxies: []),
            respond: respond)
        let (urls, running) = AsyncStream.makeStream(of: String.self)
        let server = Server(
            childChannelSetup: channel,
            configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in
                running.yield("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
                running.finish()
            }, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            for await url in urls { try await test(url) }
            try await server.shutdownGracefully()
            try await group.waitForAll()
        }
    }

    private static func request(_ path: String = "/", _ fields: String...) -> String {
        (["GET \(path) HTTP/1.1", "Host: 127.0.0.1"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
    }

    private static func post(_ body: String) -> String {
        "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// Answers with the number of bytes in the body.
    private static let counting: Respond = { request, _ in
        let count = try? await request.body(upTo: 32 << 20).count
        return Response(status: .ok, body: ByteBuffer(string: "bytes: \(count ?? -1)"))
    }

    @Test(arguments: ["Connection: close", "X-Nothing: a"])
    func `a large answer leaves whole before the connection ends`(field: String) async throws {
        let size = 16 << 20
        try await Self.serve { _, _ in
            Response(status: .ok, body: ByteBuffer(repeating: UInt8(ascii: "a"), count: size))
        } _: { url in
            let answer = try await RawHTTP.exchange(url, Array(Self.request("/", field).utf8))
            #expect(answer.utf8.count > size)
        }
    }

    @Test(arguments: ["Connection: close", "X-Nothing: a"])
    func `a large answer leaves whole to a client that ended its output while it left`(field: String) async throws {
        let size = 16 << 20
        try await Self.serve { request, _ in
            let count = request.head.path == "/large" ? size : 1
            return Response(
                status: .ok, body: ByteBuffer(repeating: UInt8(ascii: "a"), count: count))
        } _: { url in
            // Every event loop answers: the end of the output has reached that of the large answer then.
            let others = Array(repeating: Array(Self.request().utf8), count: 2 * System.coreCount)
            let answer = try await RawHTTP.exchange(url, Array(Self.request("/large", field).utf8), before: others)
            #expect(answer.utf8.count > size)
        }
    }

    @Test func `line breaks and NUL in a value add no field and end no head`() async throws {
        let values = ["a\r\nX-Injected: 1", "a\nX-Injected: 1", "a\rX-Injected: 1", "a\0b", "\r\n\r\nHTTP/1.1 200 OK"]
        try await Self.serve { request, _ in
            let value = values[Int(request.head.path?.dropFirst() ?? "") ?? 0]
            return Response(
                status: .seeOther,
                headers: [
                    .location: value, .setCookie: value, .wwwAuthenticate: value, .accessControlAllowOrigin: value,
                    .accessControlAllowHeaders: value, .contentType: value,
                ])
        } _: { url in
            for index in values.indices {
                let answer = try await RawHTTP.exchange(url, Array(Self.request("/\(index)").utf8))
                let head = answer.components(separatedBy: "\r\n")
                #expect(head.first == "HTTP/1.1 303 See Other")
                #expect(!head.contains { $0.hasPrefix("X-Injected") || $0.contains("\0") || $0.contains("\n") })
                #expect(head.count { $0.hasPrefix("HTTP/1.1") } == 1)
            }
        }
    }

    @Test func `no field with a line break leaves, whatever wrote it`() throws {
        let settings = EventLoopChannel(
            deadline: .seconds(30), idleTimeout: .seconds(15), clientAddress: ClientAddress(trustedProxies: []),
            respond: { _, _ in .immediate(Response(status: .ok)) })
        let channel = EmbeddedChannel()
        _ = try settings.setup(channel: channel, logger: Logger(label: "test")).wait()
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Location": "/\r\nX-Injected: 1"])

        #expect(throws: (any Error).self) { try channel.writeOutbound(HTTPServerResponsePart.head(head)) }
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
    }

    @Test(arguments: [true, false])
    func `a request is refused before its body has come, and the connection ends`(atOnce: Bool) async throws {
        let refusal = Response(status: .forbidden)
        try await Self.serve(answering: { _, _ in atOnce ? .immediate(refusal) : .awaited { refusal } }) { url in
            let connection = try await RawConnection(url)
            try await connection.send("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\n")
            let answer = try await connection.rest()
            #expect(answer.hasPrefix("HTTP/1.1 403") && answer.contains("onnection: close"))
        }
    }

    @Test func `a body that comes byte by byte arrives whole, and the next request after it`() async throws {
        try await Self.serve(Self.counting) { url in
            let connection = try await RawConnection(url)
            for byte in Self.post(String(repeating: "a", count: 300)) { try await connection.send(String(byte)) }
            try await connection.send(Self.post("bb") + Self.request("/", "Connection: close"))
            let answer = try await connection.rest()
            let counts = answer.components(separatedBy: "bytes: ").dropFirst().map { $0.prefix { $0.isNumber } }
            #expect(counts == ["300", "2", "0"])
        }
    }

    @Test func `a large body arrives whole, also behind a request that takes its time`() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (gate, opened) = AsyncStream.makeStream(of: Void.self)
        try await Self.serve { request, connection in
            if request.method == .get {
                arrived.finish()
                for await _ in gate {}
            }
            return await Self.counting(request, connection)
        } _: { url in
            let size = 8 << 20
            let bytes = Self.request() + Self.post(String(repeating: "a", count: size)) + Self.post("bb")
            async let answer = RawHTTP.exchange(url, Array(bytes.utf8))
            for await _ in arrivals {}
            opened.finish()
            let parts = try await answer.components(separatedBy: "bytes: ").dropFirst()
            let counts = parts.map { $0.prefix { $0.isNumber } }
            #expect(counts == ["0", "\(size)", "2"])
        }
    }

    @Test func `requests of a connection are answered one after the other`() async throws {
        let open = Mutex((now: 0, most: 0))
        try await Self.serve { request, _ in
            open.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            await Task.yield()
            open.withLock { $0.now -= 1 }
            return Response(status: .ok, headers: [.location: request.head.path ?? ""])
        } _: { url in
            let paths = (0..<16).map { "/\($0)" }
            let answer = try await RawHTTP.exchange(url, Array(paths.map { Self.request($0) }.joined().utf8))
            let answered = answer.components(separatedBy: "\r\n").filter { $0.hasPrefix("Location: ") }
            #expect(answered == paths.map { "Location: \($0)" })
            #expect(open.withLock(\.most) == 1)
        }
    }

    @Test func `what is at hand is answered in its place among requests that wait`() async throws {
        let waits: Respond = { request, _ in
            await Task.yield()
            return Response(status: .ok, headers: [.location: request.head.path ?? ""])
        }
        try await Self.serve(answering: { request, connection in
            let path = request.head.path ?? ""
            return path.hasSuffix("w")
                ? .awaited { await waits(request, connection) }
                : .immediate(Response(status: .ok, headers: [.location: path]))
        }) { url in
            let paths = (0..<16).map { "/\($0)\($0 % 3 == 1 ? "w" : "")" }
            let answer = try await RawHTTP.exchange(url, Array(paths.map { Self.request($0) }.joined().utf8))
            let answered = answer.components(separatedBy: "\r\n").filter { $0.hasPrefix("Location: ") }
            #expect(answered == paths.map { "Location: \($0)" })
        }
    }

    @Test func `what is at hand is answered when it was read, before anything else of the event loop runs`() throws {
        let blocker = Blocker()
        let eventLoop = EmbeddedEventLoop()
        let channel = try Self.channel(on: eventLoop, behind: blocker) { .immediate(Response(status: .accepted)) }
        for _ in 0..<2 {
            channel.pipeline.fireChannelRead(ConnectionHandlerTests.head)
            channel.pipeline.fireChannelRead(HTTPServerRequestPart.end(nil))
        }
        #expect(blocker.heads.isEmpty)

        channel.pipeline.fireChannelReadComplete()

        #expect(blocker.heads.map(\.status) == [.accepted, .accepted])
        blocker.release()
        _ = try channel.finish()
    }

    @Test func `answers are sent once the loop has done what was at hand, those of a connection together`() throws {
        let eventLoop = EmbeddedEventLoop()
        let blockers = [Blocker(), Blocker()]
        let channels = try blockers.map { blocker in
            try Self.channel(on: eventLoop, behind: blocker) { .immediate(Response(status: .accepted)) }
        }
        for channel in channels {
            for _ in 0..<2 {
                channel.pipeline.fireChannelRead(ConnectionHandlerTests.head)
                channel.pipeline.fireChannelRead(HTTPServerRequestPart.end(nil))
            }
            channel.pipeline.fireChannelReadComplete()
        }
        #expect(blockers.map(\.heads.count) == [2, 2])
        #expect(blockers.map(\.flushes) == [0, 0])

        eventLoop.run()

        #expect(blockers.map(\.flushes) == [1, 1])
        for (blocker, channel) in zip(blockers, channels) {
            blocker.release()
            _ = try channel.finish()
        }
    }

    /// An open connection whose handler of requests comes after `first`.
    private static func channel(
        on eventLoop: EmbeddedEventLoop, behind first: any ChannelHandler,
        answering answer: @escaping @Sendable () -> RequestHandler.Answer
    ) throws -> EmbeddedChannel {
        let requests = RequestHandler(on: eventLoop, clientAddress: ClientAddress(trustedProxies: [])) { _, _ in
            answer()
        }
        let channel = EmbeddedChannel(handlers: [first, requests], loop: eventLoop)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    /// Lets nothing leave.
    private final class Blocker: ChannelOutboundHandler {
        typealias OutboundIn = HTTPServerResponsePart

        var heads: [HTTPResponseHead] = []
        var flushes = 0
        private var promises: [EventLoopPromise<Void>] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .head(let head) = unwrapOutboundIn(data) { heads.append(head) }
            promises += [promise].compactMap(\.self)
        }

        func flush(context: ChannelHandlerContext) { flushes += 1 }

        func release() { for promise in promises { promise.succeed() } }
    }

    @Test func `what is no request is refused once, however long the refusal takes to leave`() throws {
        let blocker = Blocker()
        let eventLoop = EmbeddedEventLoop()
        let channel = try Self.channel(on: eventLoop, behind: blocker) { .awaited { Response(status: .ok) } }

        channel.pipeline.fireErrorCaught(HTTPParserError.invalidMethod)
        channel.pipeline.fireChannelReadComplete()
        channel.pipeline.fireChannelWritabilityChanged()

        #expect(blocker.heads.map(\.status) == [.badRequest])
        #expect(channel.isActive, "closing would discard the refusal")
        blocker.release()
        eventLoop.run()
        #expect(!channel.isActive)
    }

    @Test func `nothing is read while the bodies of waiting requests are large`() throws {
        let reads = ConnectionHandlerTests.ReadCounter()
        let eventLoop = EmbeddedEventLoop()
        let requests = RequestHandler(on: eventLoop, clientAddress: ClientAddress(trustedProxies: [])) { _, _ in
            .awaited { Response(status: .ok) }
        }
        let channel = EmbeddedChannel(handlers: [reads, requests], loop: eventLoop)
        channel.read()
        #expect(reads.count == 1)
        channel.pipeline.fireChannelRead(ConnectionHandlerTests.head)
        channel.pipeline.fireChannelRead(
            HTTPServerRequestPart.body(ByteBuffer(repeating: 0, count: RequestHandler.maximumWaiting)))

        channel.read()

        #expect(reads.count == 1)
        _ = try channel.finish()
    }

    @Test func `nothing is read while a body arrives faster than its reader takes it`() throws {
        let reads = ConnectionHandlerTests.ReadCounter()
        let eventLoop = EmbeddedEventLoop()
        let channel = try Self.channel(on: eventLoop, behind: reads) { .awaited { Response(status: .ok) } }
        channel.pipeline.fireChannelRead(ConnectionHandlerTests.head)
        channel.pipeline.fireChannelReadComplete()
        let before = reads.count
        channel.read()
        #expect(reads.count == before + 1)
        for _ in 0..<32 {
            channel.pipeline.fireChannelRead(
                HTTPServerRequestPart.body(ByteBuffer(repeating: 0, count: DecoderGate.portion)))
        }

        channel.read()

        #expect(reads.count == before + 1)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `a request waits until the client takes the answer before its own`() async throws {
        let begun = Mutex<[String]>([])
        try await Self.serve { request, _ in
            let path = request.head.path ?? ""
            begun.withLock { $0.append(path) }
            return Response(
                status: .ok,
                body: ByteBuffer(repeating: UInt8(ascii: "a"), count: path == "/large" ? 16 << 20 : 1))
        } _: { url in
            // Every event loop answers: the second request has reached that of the large answer then.
            let others = Array(repeating: Array(Self.request("/other").utf8), count: 2 * System.coreCount)
            _ = try await RawHTTP.exchange(
                url, Array((Self.request("/large") + Self.request("/second")).utf8), before: others)
            #expect(begun.withLock { $0.last } == "/second")
        }
    }

    @Test func `a body that breaks off is an error of its reader`() async throws {
        let errors = Mutex<[String]>([])
        try await Self.serve { request, _ in
            do {
                _ = try await request.body(upTo: 1 << 20)
            } catch {
                errors.withLock { $0.append("\(type(of: error))") }
            }
            return Response(status: .badRequest)
        } _: { url in
            let answer = try await RawHTTP.exchange(url, Array(Self.post("abc").utf8.dropLast()))
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(errors.withLock(\.self) == ["HTTPParserError"])
        }
    }
}
