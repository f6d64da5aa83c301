import BenchmarkLoad
import Foundation
import NIOCore
import NIOHTTP1

/// What a ``Peer`` is asked: refresh tokens in turn, each for its successor where it has one, or ID tokens in turn.
struct PeerConversation: Conversation {
    private let head: HTTPRequestHead
    private let question: Peer.Question
    private let tokens: Ring<String>
    private let isOnce: Bool

    /// - Parameters:
    ///   - question: what is asked.
    ///   - tokens: refresh tokens or ID tokens.
    ///   - isOnce: whether each is asked with once only.
    init(_ question: Peer.Question, tokens: [String], isOnce: Bool = false) {
        head = .benchmark(.POST, question.path, contentType: question.contentType)
        self.question = question
        self.tokens = Ring(tokens)
        self.isOnce = isOnce
    }

    func ask() -> Question<Int>? {
        tokens.take().map { place, token in
            Question(head, ByteBuffer(string: question.prefix + token + question.suffix), turn: place)
        }
    }

    func accept(_ body: ByteBuffer, of turn: Int) throws {
        let text = String(buffer: body)
        guard text.contains(question.expects) else { throw BenchmarkFailure("an answer without \(question.expects)") }
        guard !isOnce else { return }
        guard question.rotates else { return tokens.putBack(turn) }
        tokens.putBack(turn, as: try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).refreshToken)
    }

    private struct Answer: Decodable {
        let refreshToken: String

        enum CodingKeys: String, CodingKey { case refreshToken = "refresh_token" }
    }
}
