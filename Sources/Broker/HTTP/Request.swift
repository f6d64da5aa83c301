import HTTPTypes
import NIOCore

/// A request to a handler.
struct Request: Sendable {
    let head: HTTPRequest
    let body: RequestBody

    var method: HTTPRequest.Method { head.method }
    var headers: HTTPFields { head.headerFields }
    /// What follows the question mark of the target; empty without one.
    var query: Substring.UTF8View { (head.path ?? "").utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst() }

    /// The bytes of the body. One that says that it is longer is refused before it has come.
    ///
    /// - Throws: `NIOTooManyBytesError`, or what ended the connection.
    func body(upTo maximum: Int) async throws -> [UInt8] {
        if let length = headers.value(of: .contentLength).flatMap({ Int($0) }), length > maximum {
            throw NIOTooManyBytesError(maxBytes: maximum)
        }
        switch body {
        case .whole(let bytes):
            guard bytes.readableBytes <= maximum else { throw NIOTooManyBytesError(maxBytes: maximum) }
            return Array(buffer: bytes)
        case .stream(let parts): return Array(buffer: try await parts.collect(upTo: maximum))
        }
    }
}

/// The body of a request.
enum RequestBody: Sendable {
    /// It has arrived, as that of nearly every request.
    case whole(ByteBuffer)
    /// It arrives while the request is being answered.
    case stream(RequestStream.Sequence)
}

extension HTTPFields {
    /// What the subscript returns, which joins even a single value by calls of generic code.
    func value(of name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.count > 1 ? self[name] : values.first
    }
}
