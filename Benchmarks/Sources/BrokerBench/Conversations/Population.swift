import BenchmarkLoad
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// People sign in, each once: so a store gets its people, or their sessions, over the wire, and so a first sign-in is
/// measured.
final class Population: Conversation {
    static let connections = 32

    private struct State {
        var next = 0
        var people: [SignInAnswer] = []
    }

    private let questions: SignInQuestions
    private let areNew: Bool
    private let state = Mutex(State())

    init(_ questions: SignInQuestions, areNew: Bool) {
        self.questions = questions
        self.areNew = areNew
    }

    /// Signs everybody in.
    ///
    /// - Returns: what they hold then, and what it took.
    /// - Throws: ``BenchmarkFailure`` when anybody was refused.
    static func settle(
        _ questions: SignInQuestions, areNew: Bool, at brokers: Brokers
    ) async throws -> (people: [SignInAnswer], measurement: LoadMeasurement) {
        let population = Population(questions, areNew: areNew)
        let measurement = try await Load(ports: brokers.ports, connections: connections).measure(
            population, at: .asFastAsAnswered(for: .seconds(3600)), on: ProcessorClock(of: brokers.identifiers))
        let people = population.state.withLock { $0.people }
        guard people.count == questions.bodies.count else {
            let reason = measurement.result.firstFailure ?? "no answer"
            throw BenchmarkFailure("\(questions.bodies.count - people.count) people could not sign in: \(reason)")
        }
        return (people, measurement)
    }

    func ask() -> Question<Void>? {
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        return number < questions.bodies.count ? Question(questions.head, questions.bodies[number], turn: ()) : nil
    }

    func accept(_ body: ByteBuffer, of turn: Void) throws {
        let answer = try SignInAnswer(body)
        guard (answer.isNewUser == true) == areNew else {
            throw BenchmarkFailure(areNew ? "a new user is known already" : "a known user is new")
        }
        state.withLock { $0.people.append(answer) }
    }
}

/// `accounts:signInWithIdp` with an ID token of the ``Issuer``, for each of its people.
struct SignInQuestions: Sendable {
    let head: HTTPRequestHead
    let bodies: [ByteBuffer]

    init(apiKey: String, idTokens: some Sequence<String>) {
        head = .benchmark(.POST, "/v1/accounts:signInWithIdp?key=\(apiKey)", contentType: "application/json")
        bodies = idTokens.map { token in
            ByteBuffer(
                string: """
                    {"requestUri":"http://localhost","returnSecureToken":true,\
                    "postBody":"id_token=\(token)&providerId=\(BrokerFiles.provider)"}
                    """)
        }
    }
}

/// What an app keeps of the answer to a sign-in.
struct SignInAnswer: Decodable, Sendable {
    let idToken: String
    let refreshToken: String
    let isNewUser: Bool?

    init(_ body: ByteBuffer) throws {
        self = try JSONDecoder().decode(SignInAnswer.self, from: Data(body.readableBytesView))
    }
}
