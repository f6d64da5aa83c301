/// A row of a table that is a queue: brokers claim it, attempt its work, repeat it, and end it.
package protocol QueueRow: Record {
    associatedtype State: QueueState
    /// The recipient of the attempts. Each has a task of its own, so that none waits for another.
    associatedtype Recipient: QueueRecipient = String
    /// The columns by which an operator selects rows. The first one names the row.
    associatedtype Field: QueueField

    static var queue: QueueTable<Self> { get }

    /// Private, time-ordered.
    var key: Int64 { get }
    /// Its columns are those of every queue, in the table's declaration.
    var progress: QueueProgress<State> { get }
}

/// The states of a queue's rows.
package protocol QueueState: RawRepresentable<String>, CaseIterable, Sendable, Hashable {
    /// Waits for its next attempt.
    static var queued: Self { get }
    /// Waits for an operator, and for one more attempt at the end of its lifetime. The same as ``dead`` in a queue
    /// without such a state.
    static var parked: Self { get }
    /// Abandoned.
    static var dead: Self { get }
    /// The attempt succeeded.
    static var done: Self { get }
    /// Not to be attempted any more; ``QueueProgress/reason`` says why.
    static var dropped: Self { get }
}

extension QueueState {
    /// Whether there will be another attempt without an operator.
    package var isOpen: Bool { self != .done && self != .dropped && self != .dead }
    /// Whether no operator has to act on the row.
    package var isSettled: Bool { self == .done || self == .dropped }
}

/// A column of a queue by which rows are selected.
package protocol QueueField: RawRepresentable<String>, CaseIterable, Sendable, Hashable {}

/// The recipient of a queue's attempts, which one or more columns name.
package protocol QueueRecipient: Sendable, Hashable {
    init(reading row: inout Row) throws(StoreError)
    var values: [SQLValue] { get }
}

extension String: QueueRecipient {
    package init(reading row: inout Row) throws(StoreError) { self = try row.text() }
    package var values: [SQLValue] { [.text(self)] }
}

/// The right of one broker to make the next attempt.
package struct QueueClaim: Sendable, Hashable {
    /// A random id of the process.
    package var holder: String
    package var until: Timestamp

    package init(holder: String, until: Timestamp) {
        self.holder = holder
        self.until = until
    }
}

/// The columns that every queue has.
package struct QueueProgress<State: QueueState>: Sendable, Hashable {
    package var state: State
    /// The result of the last attempt, or the reason of the state, for operators.
    package var reason: String?
    package var attempts: Int64
    /// When it was queued last, by its event or by an operator; its time as a dead letter counts from here.
    package var queuedAt: Timestamp
    /// When it is due; nil once it ended.
    package var nextAttemptAt: Timestamp?
    package var claim: QueueClaim?
    package var endedAt: Timestamp?

    /// The progress of a row that is due at once.
    package init(queuedAt: Timestamp) {
        state = .queued
        attempts = 0
        self.queuedAt = queuedAt
        nextAttemptAt = queuedAt
    }

    init(reading row: inout Row) throws(StoreError) {
        state = try row.choice(State.self)
        reason = try row.optionalText()
        attempts = try row.integer()
        queuedAt = try row.time()
        nextAttemptAt = try row.optionalTime()
        let (holder, until) = (try row.optionalText(), try row.optionalTime())
        claim = holder.flatMap { holder in until.map { QueueClaim(holder: holder, until: $0) } }
        endedAt = try row.optionalTime()
    }

    var values: [SQLValue] {
        [
            .text(state.rawValue), .text(orNull: reason), .integer(attempts), .time(queuedAt),
            .time(orNull: nextAttemptAt), .text(orNull: claim?.holder), .time(orNull: claim?.until),
            .time(orNull: endedAt),
        ]
    }
}

extension QueueRow {
    package var state: State { progress.state }
    package var reason: String? { progress.reason }
    package var attempts: Int64 { progress.attempts }
    package var queuedAt: Timestamp { progress.queuedAt }
    package var nextAttemptAt: Timestamp? { progress.nextAttemptAt }
    package var claim: QueueClaim? { progress.claim }
    package var endedAt: Timestamp? { progress.endedAt }
}
