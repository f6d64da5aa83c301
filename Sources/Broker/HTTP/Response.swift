import HTTPTypes
import NIOCore

/// The answer of a handler, with a body that is there as a whole.
struct Response: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    /// Empty where the answer has no body.
    let body: ByteBuffer

    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The header fields. `Content-Length` is added where it is absent.
    ///   - body: The body.
    init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
        guard !headers.contains(.contentLength) else { return }
        self.headers.append(HTTPField(name: .contentLength, value: String(body.readableBytes)))
    }

    var head: HTTPResponse { HTTPResponse(status: status, headerFields: headers) }

    /// The answer to HEAD in place of this one, which is that to GET: the same fields (RFC 9110 §9.3.2).
    var withoutBody: Response { Response(status: status, headers: headers) }
}
