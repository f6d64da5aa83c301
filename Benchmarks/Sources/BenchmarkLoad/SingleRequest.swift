package import NIOCore
package import NIOHTTP1
import Synchronization

/// One request and no more, for what a run has to know beforehand.
package final class SingleRequest: Conversation {
    private struct State {
        var isAsked = false
        var answer: ByteBuffer?
    }

    private let head: HTTPRequestHead
    private let state = Mutex(State())

    package init(_ head: HTTPRequestHead) {
        self.head = head
    }

    /// What a server answers to a `GET`.
    ///
    /// - Throws: ``BenchmarkFailure`` unless the status is 200 to 299.
    package static func get(_ path: String, port: Int) async throws -> ByteBuffer {
        let request = SingleRequest(.benchmark(.GET, path))
        let result = try await Load(ports: [port], connections: 1)
            .run(request, at: .asFastAsAnswered(for: .seconds(10)))
        guard let answer = request.state.withLock({ $0.answer }) else {
            throw BenchmarkFailure("GET \(path): \(result.firstFailure ?? "no answer")")
        }
        return answer
    }

    package func ask() -> Question<Void>? {
        state.withLock { state in
            guard !state.isAsked else { return nil }
            state.isAsked = true
            return Question(head, turn: ())
        }
    }

    package func accept(_ body: ByteBuffer, of turn: Void) { state.withLock { $0.answer = body } }
}
