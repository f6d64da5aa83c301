import BenchmarkLoad
import Foundation

/// The same work at the servers of Benchmarks/Peers.
struct PeerCases {
    static let connections = 16
    let operation: CaseName.Operation
    let peer: Peer
    /// Makes what to say in a loop of so many seconds.
    private let conversation: (Double) async throws -> PeerConversation

    /// Has everybody sign in once, where people do, so that none is new when it counts. Each ID token is used once.
    init(_ operation: CaseName.Operation, _ peer: Peer, issuer: Issuer) async throws {
        self.operation = operation
        self.peer = peer
        let question = peer.question
        guard question.tokens == nil else {
            let chains = PeerConversation(question, tokens: question.tokens ?? [])
            conversation = { _ in chains }
            return
        }
        let start = ContinuousClock.now
        let once = PeerConversation(question, tokens: Array(issuer.idTokens.prefix(Peer.users)), isOnce: true)
        let result = try await Load(ports: [question.port], connections: 1)
            .run(once, at: .asFastAsAnswered(for: .seconds(600)))
        guard result.failureCount == 0 else {
            throw BenchmarkFailure("\(operation.rawValue): \(result.firstFailure ?? "no answer")")
        }
        let perSecond = Double(result.answers) / (ContinuousClock.now - start).inSeconds
        conversation = { seconds in
            let tokens = try await issuer.freshTokens(Int(perSecond * seconds * 6) + 100, of: Peer.users)
            return PeerConversation(question, tokens: tokens, isOnce: true)
        }
    }

    func all() -> [BenchmarkCase] {
        [
            BenchmarkCase(CaseName(.cpu, operation, .closed(Self.connections))) { duration in
                Figure(
                    try await Load(ports: [peer.question.port], connections: Self.connections).measure(
                        conversation(duration.inSeconds), at: .asFastAsAnswered(for: duration),
                        on: ProcessorClock(of: peer.processes)))
            }
        ]
    }
}
