import HTTPTypes
import Hummingbird
import NIOCore

/// The icon in the browser's tab of a site that has none of its own: a keyhole, in neither light's nor dark's colour.
enum DefaultIcon {
    static let path = "/favicon.ico"

    static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#5a626d"/>\
        <path fill="#fff" d="M16 8a5 5 0 0 0-2.6 9.3L12.2 24h7.6l-1.2-6.7A5 5 0 0 0 16 8z"/></svg>
        """

    static var response: Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "image/svg+xml", .cacheControl: "public, max-age=86400",
                // Opened by itself, an image of ours runs and loads nothing either.
                .contentSecurityPolicy: "default-src 'none'; sandbox",
            ], body: .init(byteBuffer: ByteBuffer(string: svg)))
    }
}
