package import NIOCore
package import NIOHTTP1

/// What the connections of a ``Load`` ask for, and what they make of the answers.
package protocol Conversation: Sendable {
    /// What has to be remembered from a question to its answer.
    associatedtype Turn: Sendable

    /// - Returns: `nil` when there is nothing left to ask with.
    func ask() -> Question<Turn>?

    /// Takes the body of an answer with a status of 200 to 299.
    ///
    /// Not called for any other: what a question was asked with is then never asked with again, so that one bad token is
    /// one error and not a loop of them.
    ///
    /// - Throws: ``BenchmarkFailure`` when it is not what was asked for.
    func accept(_ body: ByteBuffer, of turn: Turn) throws
}

/// A request, and what to remember until it is answered.
package struct Question<Turn: Sendable>: Sendable {
    package let head: HTTPRequestHead
    package let body: ByteBuffer?
    package let turn: Turn

    package init(_ head: HTTPRequestHead, _ body: ByteBuffer? = nil, turn: Turn) {
        self.head = head
        self.body = body
        self.turn = turn
    }
}

/// The same request for ever.
package struct RepeatedRequest: Conversation {
    private let head: HTTPRequestHead
    private let body: ByteBuffer?
    private let expectation: String

    /// - Parameters:
    ///   - head: the request, such as ``NIOHTTP1/HTTPRequestHead/benchmark(_:_:contentType:)`` makes it.
    ///   - body: sent with it.
    ///   - expectation: what every answer begins with.
    package init(_ head: HTTPRequestHead, body: String? = nil, expecting expectation: String) {
        self.head = head
        self.body = body.map { ByteBuffer(string: $0) }
        self.expectation = expectation
    }

    package func ask() -> Question<Void>? { Question(head, body, turn: ()) }

    package func accept(_ body: ByteBuffer, of turn: Void) throws {
        guard body.readableBytesView.starts(with: expectation.utf8) else {
            throw BenchmarkFailure("an answer that does not begin with \(expectation)")
        }
    }
}

extension HTTPRequestHead {
    /// A request with the header fields every client sends; with a body when `contentType` is given.
    package static func benchmark(
        _ method: HTTPMethod, _ uri: String, contentType: String? = nil
    ) -> HTTPRequestHead {
        var headers: HTTPHeaders = ["Host": "127.0.0.1", "User-Agent": "benchmark", "Accept": "*/*"]
        if let contentType { headers.add(name: "Content-Type", value: contentType) }
        return HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers)
    }
}
