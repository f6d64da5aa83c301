import BenchmarkLoad
import NIOCore
import NIOHTTP1

/// Chains as of refresh tokens: the server answers with what is to be sent next.
struct ChainConversation: Conversation {
    let tokens: Ring<String>

    func ask() -> Question<Int>? {
        tokens.take().map { Question(.benchmark(.POST, "/"), ByteBuffer(string: $0.value), turn: $0.place) }
    }

    func accept(_ body: ByteBuffer, of turn: Int) throws {
        let text = String(buffer: body)
        guard !text.isEmpty else { throw BenchmarkFailure("no successor") }
        tokens.putBack(turn, as: text)
    }
}
