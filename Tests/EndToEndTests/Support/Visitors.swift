import Synchronization
import Testing

/// People who sign up and refresh at a broker for as long as it lets them, and remember what it promised.
final class Visitors: Sendable {
    private struct State {
        var sessions: [String: BrokerClient.Session] = [:]
        var refusals: [BrokerClient.Answer] = []
        var isOver = false
    }

    private let client: BrokerClient
    private let state = Mutex(State())

    init(of client: BrokerClient) {
        self.client = client
    }

    /// By local id, what everybody was given last.
    var sessions: [String: BrokerClient.Session] { state.withLock { $0.sessions } }
    /// What was not answered with 200.
    var refusals: [BrokerClient.Answer] { state.withLock { $0.refusals } }

    /// Lets some of them come and go until `work` has ended.
    func during<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        async let load: Void = withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { while !self.state.withLock({ $0.isOver }) { try await self.act() } }
            }
            try await group.waitForAll()
        }
        do {
            while sessions.count < 8 && refusals.isEmpty { await Task.yield() }
            let value = try await work()
            state.withLock { $0.isOver = true }
            try await load
            return value
        } catch {
            state.withLock { $0.isOver = true }
            throw error
        }
    }

    private func act() async throws {
        guard Bool.random(), let one = sessions.values.randomElement() else {
            let answer = try await client.signUp()
            guard answer.status == 200 else { return refuse(answer) }
            let session = try BrokerClient.Session(answer)
            return state.withLock { $0.sessions[session.localID] = session }
        }
        let answer = try await client.refresh(one.refreshToken)
        guard answer.status == 200 else { return refuse(answer) }
    }

    private func refuse(_ answer: BrokerClient.Answer) {
        state.withLock { $0.refusals.append(answer) }
    }
}
