import HTTPTypes
import Hummingbird
import NIOCore
import ProviderKit

/// An answer, whole, before a fault may spoil it.
struct SimulatorResponse: Sendable {
    var status: Int
    var headers: HTTPFields = [:]
    var body: [UInt8] = []
    /// Closes the connection behind the answer, whatever the client asked for.
    var closesConnection = false

    init(status: Int, contentType: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.body = body
        headers[.contentType] = contentType
    }

    static func text(_ text: String, status: Int = 200) -> SimulatorResponse {
        SimulatorResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    static func json(_ value: JSONValue, status: Int = 200) -> SimulatorResponse {
        SimulatorResponse(status: status, contentType: "application/json; charset=utf-8", body: value.bytes)
    }

    static func redirect(to location: String) -> SimulatorResponse {
        var response = SimulatorResponse(status: 302)
        response.headers[.location] = location
        return response
    }

    /// The status, within what HTTP can carry in a final answer.
    var statusCode: HTTPResponse.Status { .init(code: min(max(status, 200), 999)) }

    /// The answer as the server sends it.
    var honest: Response {
        guard closesConnection else {
            return Response(status: statusCode, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
        }
        var headers = headers
        headers[.connection] = "close"
        let body = body
        let written = ResponseBody(contentLength: body.count) { writer in
            try await writer.write(ByteBuffer(bytes: body))
            try await writer.finish(nil)
            throw ConnectionEnds()
        }
        return Response(status: statusCode, headers: headers, body: written)
    }
}

/// Thrown while a body is written: the server then closes the connection.
struct ConnectionEnds: Error {}

/// Ends a handler early with this answer.
struct Refusal: Error {
    let response: SimulatorResponse

    init(_ response: SimulatorResponse) {
        self.response = response
    }

    /// The handler's answer, be it a refusal.
    static func caught(_ handler: () throws(Refusal) -> SimulatorResponse) -> SimulatorResponse {
        do {
            return try handler()
        } catch {
            return error.response
        }
    }
}

extension HTTPFields {
    /// Sets a field whose name has no constant.
    subscript(text name: String) -> String? {
        get { HTTPField.Name(name).flatMap { self[$0] } }
        set {
            guard let name = HTTPField.Name(name) else { return }
            self[name] = newValue
        }
    }
}
