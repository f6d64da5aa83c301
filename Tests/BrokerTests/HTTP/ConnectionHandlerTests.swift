import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Broker

@Suite("a client's connection")
struct ConnectionHandlerTests {
    static let head = HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/"))

    /// Counts how often the server is asked to read from the socket.
    final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = Never
        var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    static func channel(_ handlers: any ChannelHandler...) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(
            handlers: handlers + [ConnectionHandler(limit: .seconds(30), idleTimeout: .seconds(40))])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    static func receive(_ channel: EmbeddedChannel, requests: Int = 1) throws {
        for _ in 0..<requests {
            try channel.writeInbound(head)
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
        }
    }

    /// Answers the oldest request.
    ///
    /// - Returns: Whether the answer says that it is the connection's last.
    static func answer(_ channel: EmbeddedChannel, _ status: HTTPResponseStatus = .ok) throws -> Bool {
        try channel.writeOutbound(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: status)))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        guard case .head(let head) = try channel.readOutbound(as: HTTPServerResponsePart.self) else {
            throw TestFailure("no head")
        }
        _ = try channel.readOutbound(as: HTTPServerResponsePart.self)
        return head.headers["Connection"] == ["close"]
    }

    /// Answers the oldest request; nothing of it leaves before the channel is flushed.
    static func beginAnswer(_ channel: EmbeddedChannel) {
        channel.write(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)), promise: nil)
        channel.write(HTTPServerResponsePart.end(nil), promise: nil)
    }

    /// How many requests came through.
    static func taken(_ channel: EmbeddedChannel) throws -> Int {
        var count = 0
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head = part { count += 1 }
        }
        return count
    }

    /// Counts the requests that were decoded.
    final class HeadCounter: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart
        var count = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head = unwrapInboundIn(data) { count += 1 }
            context.fireChannelRead(data)
        }
    }

    @Test func `of many requests read at once few are decoded beyond those that are taken`() throws {
        let heads = HeadCounter()
        let channel = try Self.channel(
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)), heads)
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

        try channel.writeInbound(ByteBuffer(string: String(repeating: request, count: 300)))

        #expect(try Self.taken(channel) == ConnectionHandler.maximumOpenRequests)
        let portion = DecoderGate.portion / request.utf8.count + 1
        #expect(heads.count <= ConnectionHandler.maximumOpenRequests + portion, "\(heads.count)")
        // What was not decoded ends early.
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `a body that never ends ends the connection`() throws {
        let channel = try Self.channel()
        try channel.writeInbound(Self.head)
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a request sent behind another has a deadline of its own`() throws {
        let channel = try Self.channel()
        try Self.receive(channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        try channel.writeInbound(Self.head)
        _ = try Self.answer(channel)

        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `an answer before the body is whole closes the connection`() throws {
        let channel = try Self.channel()
        try channel.writeInbound(Self.head)

        #expect(try Self.answer(channel, .forbidden))
        #expect(!channel.isActive)
    }

    @Test func `a finished exchange leaves the connection open and its deadline behind`() throws {
        let channel = try Self.channel()
        try Self.receive(channel)

        #expect(try !Self.answer(channel))
        channel.embeddedEventLoop.advanceTime(by: .seconds(39))

        #expect(channel.isActive)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `a connection on which nothing arrives is closed`() throws {
        let channel = try Self.channel()
        channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        try Self.receive(channel)
        _ = try Self.answer(channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(39))
        #expect(channel.isActive, "counted from the answer")
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a connection that never sends anything is closed`() throws {
        let channel = try Self.channel()
        channel.embeddedEventLoop.advanceTime(by: .seconds(40))
        #expect(!channel.isActive)
    }

    @Test func `a connection that waits for an answer is not idle`() throws {
        let channel = EmbeddedChannel(handler: ConnectionHandler(limit: .seconds(30), idleTimeout: .seconds(5)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try Self.receive(channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)

        #expect(try !Self.answer(channel))
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        #expect(!channel.isActive)
    }

    @Test(arguments: [
        (HTTPVersion.http1_1, "close"), (.http1_1, "keep-alive, Close"), (.http1_0, ""), (.http1_0, "keep-alive"),
    ])
    func `a request that is to be the last one is`(version: HTTPVersion, connection: String) throws {
        let reads = ReadCounter()
        let channel = try Self.channel(reads)
        var head = HTTPRequestHead(version: version, method: .POST, uri: "/")
        if !connection.isEmpty { head.headers.add(name: "Connection", value: connection) }
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        let before = reads.count
        channel.read()
        #expect(reads.count == before + 1, "its body is still read")
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        try Self.receive(channel)

        #expect(try Self.taken(channel) == 1)
        #expect(try Self.answer(channel))
        #expect(!channel.isActive)
    }

    @Test func `sixteen requests are taken ahead, and the connection ends with the last one's answer`() throws {
        let channel = try Self.channel()
        try Self.receive(channel, requests: 1000)

        #expect(try Self.taken(channel) == ConnectionHandler.maximumOpenRequests)
        for _ in 1..<ConnectionHandler.maximumOpenRequests {
            #expect(try !Self.answer(channel))
            #expect(channel.isActive)
        }
        #expect(try Self.answer(channel))
        #expect(!channel.isActive)
    }

    @Test func `nothing is read while sixteen requests wait`() throws {
        let reads = ReadCounter()
        let channel = try Self.channel(reads)
        try Self.receive(channel, requests: ConnectionHandler.maximumOpenRequests)
        let before = reads.count

        channel.read()
        #expect(reads.count == before)
        _ = try Self.answer(channel)
        #expect(reads.count == before + 1, "it goes on when there is room")
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `sixteen requests at once are no reason to close`() throws {
        let channel = try Self.channel()
        for _ in 0..<3 {
            try Self.receive(channel, requests: ConnectionHandler.maximumOpenRequests)
            for _ in 0..<ConnectionHandler.maximumOpenRequests { #expect(try !Self.answer(channel)) }
        }
        #expect(channel.isActive)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `in a shutdown an open request is answered, and told to be the last`() throws {
        let channel = try Self.channel()
        try Self.receive(channel)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        #expect(channel.isActive)

        #expect(try Self.answer(channel))
        #expect(!channel.isActive)
    }

    @Test func `in a shutdown a request in transit is still answered`() throws {
        let channel = try Self.channel()
        try Self.receive(channel)
        _ = try Self.answer(channel)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(channel.isActive)

        try Self.receive(channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(20))

        #expect(try Self.answer(channel))
        #expect(!channel.isActive)
    }

    @Test func `in a shutdown a request in transit is taken while the answer before it leaves`() throws {
        let channel = try Self.channel()
        try Self.receive(channel)
        Self.beginAnswer(channel)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())

        try Self.receive(channel)
        channel.flush()

        #expect(try Self.taken(channel) == 2)
        #expect(channel.isActive)
    }

    @Test(arguments: [0, 1, 2])
    func `an answer that leaves is not cut off, whatever ends the connection`(event: Int) throws {
        let channel = try Self.channel()
        try Self.receive(channel)
        Self.beginAnswer(channel)

        switch event {
        case 0: channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case 1: channel.pipeline.fireUserInboundEventTriggered(ConnectionShares.Eviction())
        default:
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            channel.embeddedEventLoop.advanceTime(by: ConnectionHandler.linger)
        }
        #expect(channel.isActive)

        channel.flush()
        channel.embeddedEventLoop.advanceTime(by: ConnectionHandler.linger)
        #expect(!channel.isActive)
    }

    @Test func `an answer leaves within the deadline of its request`() throws {
        let channel = try Self.channel()
        try Self.receive(channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        Self.beginAnswer(channel)

        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `in a shutdown an idle connection does not stay`() throws {
        let channel = try Self.channel()
        try Self.receive(channel)
        _ = try Self.answer(channel)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())

        channel.embeddedEventLoop.advanceTime(by: ConnectionHandler.linger)

        #expect(!channel.isActive)
    }

    @Test func `in a shutdown a connection without a request ends at once`() throws {
        let channel = try Self.channel()
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(!channel.isActive)
    }

    @Test func `in a shutdown an answer that had begun is not cut off`() throws {
        let channel = try Self.channel()
        try Self.receive(channel)
        try channel.writeOutbound(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)))
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))

        #expect(channel.isActive, "its client knows nothing of the end yet")
        channel.embeddedEventLoop.advanceTime(by: ConnectionHandler.linger)
        #expect(!channel.isActive)
    }
}
