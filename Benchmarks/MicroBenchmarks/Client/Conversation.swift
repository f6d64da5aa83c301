import NIOCore
import NIOHTTP1

/// What connections of a ``ClosedLoop`` ask for, and what they make of the answers.
protocol Conversation: Sendable {
    /// What has to be remembered from a question to its answer.
    associatedtype Turn: Sendable

    func ask() -> (head: HTTPRequestHead, body: ByteBuffer?, turn: Turn)

    /// Takes the body of an answer with status 200.
    ///
    /// - Throws: ``BenchmarkFailure`` when it is not what was asked for.
    func accept(_ body: ByteBuffer, of turn: Turn) throws
}

/// The same `GET` for ever.
struct GetConversation: Conversation {
    private let head: HTTPRequestHead

    init(_ uri: String) {
        head = .benchmark(.GET, uri)
    }

    func ask() -> (head: HTTPRequestHead, body: ByteBuffer?, turn: Void) { (head, nil, ()) }

    func accept(_ body: ByteBuffer, of turn: Void) throws(BenchmarkFailure) {
        guard body.readableBytes > 0 else { throw BenchmarkFailure("an empty answer") }
    }
}

extension HTTPRequestHead {
    /// A request with the header fields every client sends; with a body when `contentType` is given.
    static func benchmark(_ method: HTTPMethod, _ uri: String, contentType: String? = nil) -> HTTPRequestHead {
        var headers: HTTPHeaders = ["Host": "127.0.0.1", "User-Agent": "benchmark", "Accept": "*/*"]
        if let contentType { headers.add(name: "Content-Type", value: contentType) }
        return HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers)
    }
}
