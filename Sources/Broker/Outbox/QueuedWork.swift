import BrokerStore
import Logging

/// The work of the rows of a queue. ``QueueWorker`` claims them, attempts them by it, and repeats what fails.
protocol QueuedWork: StoreLayer {
    associatedtype Element: QueueRow
    /// The values that the attempts of one batch share.
    associatedtype Context: Sendable = Void

    /// The name of the background service, in metrics and logs.
    static var service: String { get }
    /// The log line of a turn that failed.
    static var failure: Logger.Message { get }
    static var pace: QueuePace { get }

    /// Runs before each look for due rows.
    func prepareLook() async throws
    /// Reads the values that the attempts of a batch share.
    func prepare(for recipient: Element.Recipient) async throws -> Context
    /// Makes one attempt.
    ///
    /// - Throws: A store's error; the row is attempted again when its claim runs out.
    func attempt(_ row: Element, _ context: Context) async throws -> AttemptResult
    /// Handles a recipient that unsubscribes.
    func unsubscribe(_ recipient: Element.Recipient, reason: String) async throws
    /// Adds an audit entry about a row, which may have its secret still, with the event (a state, or `retried`) and its
    /// reason; nil where the audit records none.
    var audit: (@Sendable (String, Element, String?, borrowing Transaction) throws -> Void)? { get }
    /// The log line of a state that an attempt led to.
    func message(of state: Element.State) -> (level: Logger.Level, text: Logger.Message)
    /// The metadata that identifies a row in the log.
    func metadata(of row: Element) -> Logger.Metadata
}

extension QueuedWork {
    func prepareLook() async throws {}
    func unsubscribe(_: Element.Recipient, reason _: String) async throws {}
}

extension QueuedWork where Context == Void {
    func prepare(for _: Element.Recipient) async throws {}
}

/// The result of one attempt at a row of a queue.
enum AttemptResult: Sendable, Hashable {
    /// It succeeded; the note says what exactly was done, if not the whole work.
    case done(String?)
    /// It must not be attempted any more, or cannot be.
    case dropped(String)
    /// It is abandoned; an operator may queue it again.
    case dead(String)
    /// The recipient answered that it unsubscribes.
    case unsubscribed(String)
    /// An operator has to act.
    case parked(String)
    /// It failed and is repeated; with the seconds of `Retry-After`.
    case failed(String, retryAfter: Int?)
    /// The broker stops.
    case interrupted

    var isDone: Bool {
        if case .done = self { return true }
        return false
    }
}

/// How a worker goes through its queue.
struct QueuePace: Sendable {
    /// How often a running server looks for due rows.
    let interval: Duration
    /// How long a claim lasts: an attempt, and the writes around it.
    let claimDuration: Duration
    /// Attempts that one broker makes at one recipient at a time.
    let batch: Int
    /// Batches of one recipient before others that wait are served.
    var batchesPerRound = 1
    /// Recipients that one broker serves at a time.
    var width = 32
    /// Whether a recipient with no success in a batch waits for the next look.
    var waitsAfterFailure = false
    let backoff: RetryBackoff
}

/// The state that an attempt brings a row to.
struct QueueTransition<State: QueueState>: Sendable, Hashable {
    let state: State
    let reason: String?
    /// Nil for states without a further attempt.
    let nextAttempt: Timestamp?

    /// - Parameters:
    ///   - result: The result of the attempt.
    ///   - attempt: The number of the attempt, from 1.
    ///   - backoff: The waits between attempts.
    ///   - now: The moment.
    ///   - end: When a row that still fails is abandoned. A parked one is attempted once more then.
    init(
        _ result: AttemptResult, ofAttempt attempt: Int64, backoff: RetryBackoff, at now: Timestamp, end: Timestamp
    ) {
        switch result {
        case .done(let note): (state, reason, nextAttempt) = (.done, note, nil)
        case .dropped(let why): (state, reason, nextAttempt) = (.dropped, why, nil)
        case .dead(let why), .unsubscribed(let why): (state, reason, nextAttempt) = (.dead, why, nil)
        case .interrupted: (state, reason, nextAttempt) = (.queued, "the broker stopped meanwhile", now)
        case .parked(let why): (state, reason, nextAttempt) = now < end ? (.parked, why, end) : (.dead, why, nil)
        case .failed(let why, let retryAfter):
            reason = why
            guard now < end else {
                (state, nextAttempt) = (.dead, nil)
                return
            }
            let wait = backoff.wait(afterAttempt: attempt, retryAfter: retryAfter)
            (state, nextAttempt) = (.queued, min(now.advanced(by: wait), end))
        }
    }
}
