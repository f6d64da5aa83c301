import HTTPTypes
import NIOHTTP1
import NIOHTTPTypesHTTP1

extension HTTPRequest {
    /// The request in the types of the handlers.
    ///
    /// The authority of an absolute-form target is the request's host (RFC 9112 §3.2.2); the general conversion drops it,
    /// and a foreign one would pass under an own `Host`.
    ///
    /// - Throws: When the method is no token.
    init(_ head: HTTPRequestHead) throws {
        guard head.uri.utf8.first == UInt8(ascii: "/") else {
            var head = head
            // More than one `Host`, or none, is refused as such.
            if let authority = Self.authority(of: head.uri), head.headers["Host"].count == 1 {
                head.headers.replaceOrAdd(name: "Host", value: authority)
            }
            try self.init(head, secure: false, splitCookie: false)
            return
        }
        self.init(
            method: try Method(head.method), scheme: "http", authority: head.headers.first(name: "Host"),
            path: head.uri, headerFields: HTTPFields(head.headers, splitCookie: false))
    }

    /// The authority between `://` and the path of an absolute-form target; nil for another form.
    private static func authority(of target: String) -> String? {
        guard let scheme = target.firstRange(of: "://") else { return nil }
        let end = target.utf8[scheme.upperBound...].firstIndex { "/?#".utf8.contains($0) }
        return String(target[scheme.upperBound..<(end ?? target.endIndex)])
    }
}
