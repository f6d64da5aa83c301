import BenchmarkLoad
import Foundation

/// The same work at the servers of Benchmarks/Peers.
struct PeerCases {
    static let connections = 16
    let operation: CaseName.Operation
    let peer: Peer
    private let conversation: PeerConversation

    /// Has everybody sign in once, where people do, so that none is new when it counts.
    init(_ operation: CaseName.Operation, _ peer: Peer, idTokens: some Sequence<String>) async throws {
        self.operation = operation
        self.peer = peer
        let tokens = peer.question.tokens ?? Array(idTokens.prefix(Peer.users))
        conversation = PeerConversation(peer.question, tokens: tokens)
        guard peer.question.tokens == nil else { return }
        let once = PeerConversation(peer.question, tokens: tokens, isOnce: true)
        let result = try await Load(ports: [peer.question.port], connections: 1)
            .run(once, at: .asFastAsAnswered(for: .seconds(600)))
        guard result.failureCount == 0 else {
            throw BenchmarkFailure("\(operation.rawValue): \(result.firstFailure ?? "no answer")")
        }
    }

    func all() -> [BenchmarkCase] {
        [
            BenchmarkCase(CaseName(.cpu, operation, .closed(Self.connections))) { duration in
                Figure(
                    try await Load(ports: [peer.question.port], connections: Self.connections).measure(
                        conversation, at: .asFastAsAnswered(for: duration), on: ProcessorClock(of: peer.processes)))
            }
        ]
    }
}
