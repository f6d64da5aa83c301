import ProviderSimulators
import Synchronization

/// Everything brokers have told their clients so far, and what they may have done without telling.
final class Promises: Sendable {
    private struct State {
        var answers = 0
        var isOver = false
        var users: [String: KnownUser] = [:]
        /// Whose users were touched since the last check.
        var unchecked: Set<String> = []
        /// The accounts whose first sign-in was never answered.
        var strangers: [GitHubSimulator.Person] = []
        /// The users of the accounts that every client signs in with.
        var visitors: [Int64: String] = [:]
        var refusals: [String] = []
        /// The waiters for a count of answers.
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// How many requests were granted.
    var answers: Int { state.withLock { $0.answers } }
    /// What should not have been refused.
    var refusals: [String] { state.withLock { $0.refusals } }
    var users: [KnownUser] { state.withLock { Array($0.users.values) } }
    var visitors: [Int64: String] { state.withLock { $0.visitors } }
    /// Whether clients are to come to an end by themselves.
    var isOver: Bool { state.withLock { $0.isOver } }

    func end() { state.withLock { $0.isOver = true } }
    func goOn() { state.withLock { $0.isOver = false } }

    func countAnswer() {
        let reached = state.withLock { state in
            state.answers += 1
            let reached = state.waiting.filter { $0.count <= state.answers }
            state.waiting.removeAll { $0.count <= state.answers }
            return reached
        }
        for (_, continuation) in reached { continuation.resume() }
    }

    /// Returns once so many requests were granted.
    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                guard state.answers < count else { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    func record(refusal: String) { state.withLock { $0.refusals.append(refusal) } }

    func record(stranger: GitHubSimulator.Person) { state.withLock { $0.strangers.append(stranger) } }

    /// Records the user of a shared account: the first response is permanent.
    func record(visit person: GitHubSimulator.Person, as localID: String) {
        state.withLock { state in
            let known = state.visitors.updateValue(localID, forKey: person.id)
            guard let known, known != localID else { return }
            state.refusals.append("person \(person.id) was \(known) and became \(localID)")
        }
    }

    /// What a client knows at its end.
    func record(_ users: [KnownUser]) {
        state.withLock { state in
            for user in users {
                state.users[user.localID] = user
                state.unchecked.insert(user.localID)
            }
        }
    }

    /// What is certain about a user after a look.
    func settle(_ user: KnownUser) { state.withLock { $0.users[user.localID] = user } }

    /// What happened since the last check.
    func takeUnchecked() -> (users: [KnownUser], strangers: [GitHubSimulator.Person]) {
        state.withLock { state in
            defer { (state.unchecked, state.strangers) = ([], []) }
            return (state.unchecked.compactMap { state.users[$0] }, state.strangers)
        }
    }
}
