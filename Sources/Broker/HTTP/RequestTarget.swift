import Foundation
import NIOCore
import NIOHTTP1

/// Makes the authority of an absolute-form request target the request's host (RFC 9112 §3.2.2); the conversion to shared
/// HTTP types drops it, and a foreign one would pass under an own `Host`.
final class RequestTarget: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), let authority = Self.authority(of: head.uri),
            // More than one `Host`, or none, is refused as such.
            head.headers["Host"].count == 1
        else { return context.fireChannelRead(data) }
        head.headers.replaceOrAdd(name: "Host", value: authority)
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// The authority between `://` and the path; `nil` for an origin-form target.
    static func authority(of target: String) -> String? {
        guard target.utf8.first != UInt8(ascii: "/"), let scheme = target.range(of: "://") else { return nil }
        let end = target.utf8[scheme.upperBound...].firstIndex { "/?#".utf8.contains($0) }
        return String(target[scheme.upperBound..<(end ?? target.endIndex)])
    }
}
