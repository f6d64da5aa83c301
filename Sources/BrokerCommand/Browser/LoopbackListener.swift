import Broker
import NIOCore
import NIOHTTP1
import NIOPosix
import OAuth
import ProviderKit

/// A loopback HTTP listener that the browser visits at the end of a sign-in (RFC 8252 §7.3). The page tells the user to
/// return to the terminal. The request carries no result, only the `state` of this listener.
struct LoopbackListener: Sendable {
    /// The URL for the browser to visit.
    let url: String
    private let visits: AsyncStream<Void>

    /// Listens at a free port of 127.0.0.1 while `body` works.
    ///
    /// - Throws: ``CommandFailure`` when no port is available, or the error of `body`.
    static func listening<Value>(_ body: (LoopbackListener) async throws -> Value) async throws -> Value {
        let target = "/?state=\(RandomText.secret())"
        let (visits, visitor) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let channel = try await bind(target) { visitor.yield() }
        defer { channel.close(promise: nil) }
        guard let port = channel.localAddress?.port else { throw failure }
        return try await body(LoopbackListener(url: "http://127.0.0.1:\(port)\(target)", visits: visits))
    }

    private static func bind(_ target: String, onVisit: @escaping @Sendable () -> Void) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(LoopbackAnswers(target: target, onVisit: onVisit))
                }
            }
        do {
            return try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        } catch {
            throw failure
        }
    }

    /// Waits for the browser's visit, for `limit` at most, so that the browser does not find a closed port.
    func visited(within limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [visits] in for await _ in visits { return } }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    private static let failure = CommandFailure(
        code: "NO_PORT", "cannot listen on 127.0.0.1: use --no-open, which shows a URL for any browser")
}

/// Answers the request that has the expected state with one page, and any other request with 404.
private final class LoopbackAnswers: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let target: String
    private let onVisit: @Sendable () -> Void
    private var request: HTTPRequestHead?

    init(target: String, onVisit: @escaping @Sendable () -> Void) {
        self.target = target
        self.onVisit = onVisit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = head
        case .body: break
        case .end: answer(context)
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        let isExpected = request?.method == .GET && request?.uri.hasSameBytes(as: target) ?? false
        let language = request?.headers.first(name: "accept-language") ?? ""
        let body = ByteBuffer(string: isExpected ? Self.page(isKorean: language.lowercased().hasPrefix("ko")) : "")
        let head = HTTPResponseHead(
            version: .http1_1, status: isExpected ? .ok : .notFound,
            headers: [
                "content-type": "text/html; charset=utf-8", "content-length": "\(body.readableBytes)",
                "cache-control": "no-store", "referrer-policy": "no-referrer", "x-content-type-options": "nosniff",
                "content-security-policy": "default-src 'none'; frame-ancestors 'none'", "connection": "close",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
        if isExpected { onVisit() }
    }

    private static func page(isKorean: Bool) -> String {
        let (language, title, text) =
            isKorean
            ? ("ko", "확인되었습니다", "이 창을 닫고 터미널로 돌아가 주십시오.")
            : ("en", "That worked", "You may close this window and return to your terminal.")
        return """
            <!DOCTYPE html>
            <html lang="\(language)"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark"><title>\(title)</title></head>
            <body><main><h1>\(title)</h1><p>\(text)</p></main></body></html>
            """
    }
}
