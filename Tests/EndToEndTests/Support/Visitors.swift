import ProviderKit
import Synchronization
import Testing

/// Users who sign up and refresh at a broker until it ends, and record its answers.
final class Visitors: Sendable {
    private struct State {
        var sessions: [String: IdentityToolkitApp.Session] = [:]
        var refusals: [IdentityToolkitApp.Answer] = []
        var isOver = false
    }

    private let client: IdentityToolkitApp
    private let state = Mutex(State())

    init(of client: IdentityToolkitApp) {
        self.client = client
    }

    /// The latest tokens by local id.
    var sessions: [String: IdentityToolkitApp.Session] { state.withLock { $0.sessions } }
    /// What was not answered with 200.
    var refusals: [IdentityToolkitApp.Answer] { state.withLock { $0.refusals } }

    /// Lets some of them come and go until `work` has ended.
    func during<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        async let load: Void = withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var latest: IdentityToolkitApp.Session?
                    while !self.state.withLock({ $0.isOver }) { try await self.act(&latest) }
                }
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

    /// Signs a new user up, or refreshes the session of `latest`, whose token only this task has.
    private func act(_ latest: inout IdentityToolkitApp.Session?) async throws {
        if Bool.random(), let one = latest {
            let answer = try await client.refresh(one.refreshToken)
            guard answer.status == 200, let token = answer.body["refresh_token"]?.string else { return refuse(answer) }
            latest = .init(localID: one.localID, idToken: one.idToken, refreshToken: token)
        } else {
            let answer = try await client.signUp()
            guard answer.status == 200 else { return refuse(answer) }
            latest = try IdentityToolkitApp.Session(answer)
        }
        if let latest { state.withLock { $0.sessions[latest.localID] = latest } }
    }

    private func refuse(_ answer: IdentityToolkitApp.Answer) {
        state.withLock { $0.refusals.append(answer) }
    }
}
