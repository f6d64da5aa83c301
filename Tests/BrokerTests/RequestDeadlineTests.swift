import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Broker

@Suite("the deadline of a request")
struct RequestDeadlineTests {
    static let request = HTTPRequestPart.head(
        HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/"))
    static let answer = HTTPResponsePart.head(HTTPResponse(status: .forbidden))

    static func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: RequestDeadline(limit: .seconds(30)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test func `a body that never ends ends the connection`() throws {
        let channel = try Self.channel()
        try channel.writeInbound(Self.request)
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a request sent behind another has a deadline of its own`() throws {
        let channel = try Self.channel()
        try channel.writeInbound(Self.request)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try channel.writeInbound(Self.request)
        try channel.writeOutbound(Self.answer)
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        #expect(channel.isActive)

        channel.embeddedEventLoop.advanceTime(by: .seconds(30))

        #expect(!channel.isActive)
    }

    @Test func `an answer before the body is whole closes the connection`() throws {
        let channel = try Self.channel()
        try channel.writeInbound(Self.request)
        try channel.writeOutbound(Self.answer)
        try channel.writeOutbound(HTTPResponsePart.end(nil))

        let head = try channel.readOutbound(as: HTTPResponsePart.self)
        guard case .head(let head) = head else {
            Issue.record("no head")
            return
        }
        #expect(head.headerFields[.connection] == "close")
        #expect(!channel.isActive)
    }

    @Test func `a finished exchange leaves the connection open and its deadline behind`() throws {
        let channel = try Self.channel()
        try channel.writeInbound(Self.request)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try channel.writeOutbound(Self.answer)
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(channel.isActive)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
