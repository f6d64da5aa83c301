package import Foundation
import Locks

/// A document of another server, such as its keys: fetched when it is first needed, again when it is old, and again when it
/// lacks what is looked for.
///
/// At most one fetch runs, for all who wait. While a document is usable, no two fetches begin within the cooldown:
/// tokens with invented key ids must not become requests.
package final class RemoteDocument<Document: Sendable, Failure: Error>: Sendable {
    /// The limits of its fetches, in seconds.
    package struct Limits: Sendable {
        let cooldown: TimeInterval
        let retryInterval: TimeInterval
        let longestUse: TimeInterval

        /// Makes limits.
        ///
        /// - Parameters:
        ///   - cooldown: The shortest time between two fetches while a document is usable.
        ///   - retryInterval: The same while none is.
        ///   - longestUse: The time after its fetch for which a document is usable although no later one succeeds.
        package init(
            cooldown: TimeInterval = 30, retryInterval: TimeInterval = 0, longestUse: TimeInterval = 86_400
        ) {
            self.cooldown = cooldown
            self.retryInterval = retryInterval
            self.longestUse = longestUse
        }
    }

    /// The document, as far as it is known.
    package enum Answer: Sendable {
        case current(Document)
        /// The last document, as the latest fetch has failed.
        case stale(Document, Failure)
        /// None, until a fetch after this number of seconds; with the failure of the latest one.
        case absent(Failure?, retryAfter: Int)
    }

    /// Fetches the document and says for how many seconds it is used. Gets the last one, for a conditional request.
    package typealias Fetch = @Sendable (Document?) async throws(Failure) -> (Document, lifetime: TimeInterval)

    private let limits: Limits
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    private struct State: Sendable {
        var latest: (document: Document, lifetime: TimeInterval, fetchedAt: Date)?
        var failure: Failure?
        var lastAttempt: Date?
        var running: Task<Void, Never>?
    }

    private enum Step {
        case use(Answer)
        case wait(Task<Void, Never>)
    }

    package init(_ limits: Limits = Limits(), now: @escaping @Sendable () -> Date) {
        self.limits = limits
        self.now = now
    }

    /// The document.
    ///
    /// - Parameters:
    ///   - isComplete: Whether a document has what is looked for; it is fetched again otherwise.
    ///   - fetch: Fetches it.
    /// - Returns: The document, also one that is not complete.
    package func answer(
        where isComplete: (Document) -> Bool = { _ in true }, _ fetch: @escaping Fetch
    ) async -> Answer {
        let answer = await answer(isRenewal: false, fetch)
        guard case .current(let document) = answer, !isComplete(document) else { return answer }
        return await self.answer(isRenewal: true, fetch)
    }

    private func answer(isRenewal: Bool, _ fetch: @escaping Fetch) async -> Answer {
        switch step(isRenewal, fetch) {
        case .use(let answer): return answer
        case .wait(let task): await task.value
        }
        // Once only: whatever the fetch has brought is used.
        return state.withLock { answer($0, at: now(), retryAfter: limits.retryInterval) }
    }

    private func step(_ isRenewal: Bool, _ fetch: @escaping Fetch) -> Step {
        state.withLock { state in
            // Read here: a moment from before the wait for the lock would look like a clock that was set back.
            let now = now()
            if !isRenewal, let latest = state.latest, isWithin(latest.lifetime, of: latest.fetchedAt, at: now) {
                return .use(.current(latest.document))
            }
            if let running = state.running { return .wait(running) }
            if let last = state.lastAttempt, isWithin(interval(state, at: now), of: last, at: now) {
                let remaining = limits.retryInterval - now.timeIntervalSince(last)
                return .use(answer(state, at: now, retryAfter: remaining))
            }
            state.lastAttempt = now
            let task = Task { [previous = state.latest?.document] in await run(fetch, previous) }
            state.running = task
            return .wait(task)
        }
    }

    /// A clock that was set back makes the age unknown.
    private func isWithin(_ seconds: TimeInterval, of past: Date, at now: Date) -> Bool {
        let age = now.timeIntervalSince(past)
        return age >= 0 && age < seconds
    }

    private func run(_ fetch: Fetch, _ previous: Document?) async {
        do throws(Failure) {
            let (document, lifetime) = try await fetch(previous)
            let fetchedAt = now()
            state.withLock { state in
                state.latest = (document, lifetime, fetchedAt)
                (state.failure, state.running) = (nil, nil)
            }
        } catch {
            state.withLock { ($0.failure, $0.running) = (error, nil) }
        }
    }

    private func answer(_ state: State, at now: Date, retryAfter: TimeInterval) -> Answer {
        guard let document = usable(state, at: now) else {
            return .absent(state.failure, retryAfter: max(1, Int(retryAfter.rounded(.up))))
        }
        return state.failure.map { .stale(document, $0) } ?? .current(document)
    }

    private func interval(_ state: State, at now: Date) -> TimeInterval {
        usable(state, at: now) == nil ? limits.retryInterval : limits.cooldown
    }

    private func usable(_ state: State, at now: Date) -> Document? {
        state.latest.flatMap { latest in
            let age = now.timeIntervalSince(latest.fetchedAt)
            return age < max(limits.longestUse, latest.lifetime) ? latest.document : nil
        }
    }
}
