import BenchmarkLoad
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// `accounts:lookup` with one ID token after the other.
struct LookupConversation: Conversation {
    private static let beginning = #"{"kind":"#
    private let head: HTTPRequestHead
    private let bodies: Ring<ByteBuffer>
    private let isOnce: Bool
    private let sample = Sample()

    /// - Parameters:
    ///   - apiKey: the app's.
    ///   - idTokens: those in turn.
    ///   - isOnce: whether each is asked with once only.
    init(apiKey: String, idTokens: [String], isOnce: Bool = false) {
        head = .benchmark(.POST, "/v1/accounts:lookup?key=\(apiKey)", contentType: "application/json")
        bodies = Ring(idTokens.map { ByteBuffer(string: #"{"idToken":"\#($0)"}"#) })
        self.isOnce = isOnce
    }

    func ask() -> Question<Int>? {
        bodies.take().map { Question(head, $0.value, turn: $0.place) }
    }

    func accept(_ body: ByteBuffer, of turn: Int) throws {
        guard body.readableBytesView.starts(with: Self.beginning.utf8) else {
            throw BenchmarkFailure("an answer without kind")
        }
        if sample.isDue { try check(body) }
        if !isOnce { bodies.putBack(turn) }
    }

    private func check(_ body: ByteBuffer) throws {
        let answer = try JSONDecoder().decode(Answer.self, from: Data(body.readableBytesView))
        guard answer.users.count == 1, answer.users.allSatisfy({ $0.localId.utf8.count == 28 }) else {
            throw BenchmarkFailure("an answer that is not about one user")
        }
    }

    private struct Answer: Decodable {
        let users: [User]

        struct User: Decodable { let localId: String }
    }
}

/// `accounts:signInWithIdp` of people who have been there before, each ID token once.
struct SignInConversation: Conversation {
    private let head: HTTPRequestHead
    private let bodies: Ring<ByteBuffer>
    private let check: TokenCheck
    private let sample = Sample()

    init(_ questions: SignInQuestions, check: TokenCheck) {
        head = questions.head
        bodies = Ring(questions.bodies)
        self.check = check
    }

    func ask() -> Question<Int>? {
        bodies.take().map { Question(head, $0.value, turn: $0.place) }
    }

    func accept(_ body: ByteBuffer, of turn: Int) throws {
        guard body.firstValue(of: "idToken") != nil else { throw BenchmarkFailure("an answer without ID token") }
        if sample.isDue {
            let answer = try SignInAnswer(body)
            guard answer.isNewUser != true else { throw BenchmarkFailure("a known user is new") }
            try check(answer.idToken)
        }
    }
}

/// The exchange of refresh tokens, each for its successor, as SDKs do it: a form in, JSON out.
///
/// Every rotation uses the token that the one before gave, and all chains take turns, so that every session's row is
/// touched before any is touched again. A chain whose token was refused is given up.
struct RefreshConversation: Conversation {
    private let head: HTTPRequestHead
    private let tokens: Ring<String>
    private let check: TokenCheck
    private let sample = Sample()

    init(apiKey: String, tokens: Ring<String>, check: TokenCheck) {
        head = .benchmark(.POST, "/v1/token?key=\(apiKey)", contentType: "application/x-www-form-urlencoded")
        self.tokens = tokens
        self.check = check
    }

    /// How many chains there are.
    var count: Int { tokens.count }

    func ask() -> Question<Int>? {
        tokens.take().map { place, token in
            Question(
                head, ByteBuffer(string: "grant_type=refresh_token&refresh_token=\(token)"), turn: place)
        }
    }

    func accept(_ body: ByteBuffer, of turn: Int) throws {
        guard let successor = body.firstValue(of: "refresh_token") else {
            throw BenchmarkFailure("an answer without refresh token")
        }
        if sample.isDue {
            let answer = try JSONDecoder().decode(Answer.self, from: Data(body.readableBytesView))
            guard answer.refreshToken == successor else { throw BenchmarkFailure("an answer with two refresh tokens") }
            try check(answer.idToken)
        }
        tokens.putBack(turn, as: successor)
    }

    private struct Answer: Decodable {
        let idToken: String
        let refreshToken: String

        enum CodingKeys: String, CodingKey {
            case idToken = "id_token"
            case refreshToken = "refresh_token"
        }
    }
}

/// Refreshes that are made for their ID tokens, which the broker has not verified yet.
final class IDTokenSupply: Conversation {
    private struct State {
        var asked = 0
        var idTokens: [String] = []
    }

    private let refresh: RefreshConversation
    private let count: Int
    private let state = Mutex(State())

    private init(_ refresh: RefreshConversation, count: Int) {
        self.refresh = refresh
        self.count = count
    }

    /// So many ID tokens.
    ///
    /// - Throws: ``BenchmarkFailure`` when a refresh was refused.
    static func idTokens(_ count: Int, by refresh: RefreshConversation, at port: Int) async throws -> [String] {
        let supply = IDTokenSupply(refresh, count: count)
        let result = try await Load(ports: [port], connections: Population.connections)
            .run(supply, at: .asFastAsAnswered(for: .seconds(600)))
        guard result.failureCount == 0 else {
            throw BenchmarkFailure("no ID token: \(result.firstFailure ?? "no answer")")
        }
        return supply.state.withLock { $0.idTokens }
    }

    func ask() -> Question<Int>? {
        let isEnough = state.withLock { state in
            defer { state.asked += 1 }
            return state.asked >= count
        }
        return isEnough ? nil : refresh.ask()
    }

    func accept(_ body: ByteBuffer, of turn: Int) throws {
        try refresh.accept(body, of: turn)
        guard let idToken = body.firstValue(of: "id_token") else {
            throw BenchmarkFailure("an answer without ID token")
        }
        state.withLock { $0.idTokens.append(idToken) }
    }
}
