import NIOHTTP1
import ProviderKit
import Synchronization
import Testing

/// Apps that go on signing up, refreshing and signing out whatever becomes of the database, and what they were told.
final class FailoverLoad: Sendable {
    /// What an app knows about one of its sessions.
    struct Promise: Sendable {
        var session: IdentityToolkitApp.Session
        /// Whether the last answer about its refresh token is certain, so that the token has to work.
        var isCertain = true
        var isSignedOut = false
    }

    private struct State {
        var promises: [String: Promise] = [:]
        var acknowledged = 0
        var unavailable = 0
        var wrong: [String] = []
        var longest = Duration.zero
        var isOver = false
    }

    private let state = Mutex(State())

    var promises: [Promise] { state.withLock { Array($0.promises.values) } }
    /// Answers 200 so far.
    var acknowledged: Int { state.withLock { $0.acknowledged } }
    /// Answers 503 so far.
    var unavailable: Int { state.withLock { $0.unavailable } }
    /// Answers that are neither.
    var wrong: [String] { state.withLock { $0.wrong } }
    /// How long the slowest answer took.
    var longest: Duration { state.withLock { $0.longest } }

    /// Lets `count` apps work at each of `clients` until `conduct` returns.
    func run(
        _ count: Int, at clients: [IdentityToolkitApp],
        _ conduct: @escaping @Sendable (FailoverLoad) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients {
                for _ in 0..<count {
                    group.addTask { while !self.state.withLock({ $0.isOver }) { try await self.live(at: client) } }
                }
            }
            group.addTask {
                defer { self.state.withLock { $0.isOver = true } }
                try await conduct(self)
            }
            try await group.waitForAll()
        }
    }

    /// Returns when `condition` holds.
    func wait(until condition: @Sendable (FailoverLoad) -> Bool) async throws {
        while !condition(self) { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// One session from its beginning to its end.
    private func live(at client: IdentityToolkitApp) async throws {
        guard let answer = try await answer({ try await client.signUp() }) else { return }
        var promise = Promise(session: try IdentityToolkitApp.Session(answer))
        keep(promise)
        for _ in 0..<3 {
            let token = promise.session.refreshToken
            guard let refreshed = try await self.answer({ try await client.refresh(token) }) else {
                promise.isCertain = false
                return keep(promise)
            }
            promise.session = IdentityToolkitApp.Session(
                localID: promise.session.localID, idToken: try #require(refreshed.body["id_token"]?.string),
                refreshToken: try #require(refreshed.body["refresh_token"]?.string))
            keep(promise)
        }
        guard Bool.random() else { return }
        let idToken = promise.session.idToken
        let signedOut = try await self.answer {
            try await client.post("/v1/broker/sessions:signOut", ["idToken": .string(idToken)])
        }
        (promise.isCertain, promise.isSignedOut) = (signedOut != nil, signedOut != nil)
        keep(promise)
    }

    /// The answer, when it is a promise; nil when the broker asked to come back later.
    private func answer(_ ask: () async throws -> IdentityToolkitApp.Answer) async throws -> IdentityToolkitApp.Answer?
    {
        let start = ContinuousClock.now
        let answer = try await ask()
        let duration = ContinuousClock.now - start
        let isLater = answer.status == 503 && answer.headers.contains(name: "Retry-After") && answer.body == .null
        state.withLock { state in
            state.longest = max(state.longest, duration)
            switch answer.status {
            case 200: state.acknowledged += 1
            case 503 where isLater: state.unavailable += 1
            default: state.wrong.append("\(answer)")
            }
        }
        // An app that is asked to come back later does not come back at once.
        if isLater { try await Task.sleep(for: .milliseconds(100)) }
        return answer.status == 200 ? answer : nil
    }

    private func keep(_ promise: Promise) {
        state.withLock { $0.promises[promise.session.localID] = promise }
    }
}
