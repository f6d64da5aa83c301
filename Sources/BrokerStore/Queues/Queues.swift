extension Store {
    /// The recipients with a due row.
    package func dueRecipients<Element: QueueRow>(
        of _: Element.Type, at now: Timestamp
    ) async throws -> [Element.Recipient] {
        try await read { tx in
            try tx.rows(
                Element.queue.due, .time(now), .time(now.advanced(by: Lease.longest)),
                decode: Element.Recipient.init(reading:))
        }
    }

    /// Takes the right to make the next attempt of a recipient's due rows, and counts the attempts.
    ///
    /// - Parameters:
    ///   - type: The queue.
    ///   - claim: The broker, and how long no other may attempt them.
    ///   - recipient: The recipient.
    ///   - limit: How many at most.
    ///   - now: The moment.
    /// - Returns: The claimed ones, in their order.
    /// - Throws: ``StoreError``.
    package func claim<Element: QueueRow>(
        _ type: Element.Type, by claim: QueueClaim, of recipient: Element.Recipient, limit: Int,
        at now: Timestamp
    ) async throws -> [Element] {
        let values: [SQLValue] =
            [.time(now), .time(now.advanced(by: Lease.longest)), .text(claim.holder), .time(claim.until)]
            + recipient.values + [.limit(limit)]
        let claimed = try await execute(Call(Element.queue.claim, values)) { answers throws(StoreError) in
            var claimed: [Element] = []
            try answers.next { row throws(StoreError) in claimed.append(try Element(reading: &row)) }
            return claimed
        }
        return claimed.sorted { $0.key < $1.key }
    }

    /// Writes the result of an attempt, and gives up the claim.
    ///
    /// - Parameters:
    ///   - row: The row as it was claimed.
    ///   - state: Its state after the attempt.
    ///   - reason: The result, for operators.
    ///   - nextAttempt: When it is due again; nil for a state that has no further attempt.
    ///   - now: The moment.
    /// - Returns: false if the claim was lost, or an operator ended the row meanwhile; then nothing was written.
    /// - Throws: ``StoreError``.
    package func settle<Element: QueueRow>(
        _ row: Element, as state: Element.State, reason: String?, nextAttempt: Timestamp?, at now: Timestamp
    ) async throws -> Bool {
        try await execute(row.settlement(as: state, reason: reason, nextAttempt: nextAttempt, at: now)) {
            answers throws(StoreError) in try answers.next() > 0
        }
    }
}

extension Transaction {
    /// The rows with this name: the first ``QueueRow/Field``.
    package func rows<Element: QueueRow>(
        of _: Element.Type, named name: String
    ) throws(StoreError) -> [Element] {
        try rows(Element.queue.named, .text(name), decode: Element.init(reading:))
    }

    /// The selected rows, oldest first.
    ///
    /// - Parameters:
    ///   - selection: Which ones.
    ///   - includesSettled: Whether done and dropped ones are included.
    ///   - limit: How many at most.
    /// - Returns: The rows.
    /// - Throws: ``StoreError``.
    package func rows<Element: QueueRow>(
        _ selection: QueueSelection<Element>, includesSettled: Bool = true, limit: Int
    ) throws(StoreError) -> [Element] {
        try rows(
            Element.queue.list, values: selection.values + [.flag(includesSettled), .limit(limit)],
            decode: Element.init(reading:)
        ).sorted { $0.key < $1.key }
    }

    /// The same as the store's, in a transaction that records the result as well.
    package func settle<Element: QueueRow>(
        _ row: Element, as state: Element.State, reason: String?, nextAttempt: Timestamp?, at now: Timestamp
    ) throws(StoreError) -> Bool {
        let call = row.settlement(as: state, reason: reason, nextAttempt: nextAttempt, at: now)
        return try run(call.statement, values: call.values) > 0
    }

    /// Makes rows due at once, with the whole configured time until they are dead.
    ///
    /// - Returns: Those of them whose state allows it.
    package func retry<Element: QueueRow>(
        _ selection: QueueSelection<Element>, limit: Int, at now: Timestamp
    ) throws(StoreError) -> [Element] {
        try rows(
            Element.queue.retry, values: selection.values + [.limit(limit), .time(now)], decode: Element.init(reading:))
    }

    /// Ends rows that are neither done nor dropped, without another attempt.
    ///
    /// - Returns: Those of them whose state allows it.
    package func drop<Element: QueueRow>(
        _ selection: QueueSelection<Element>, reason: String, limit: Int, at now: Timestamp
    ) throws(StoreError) -> [Element] {
        try rows(
            Element.queue.drop, values: selection.values + [.limit(limit), .time(now), .text(reason)],
            decode: Element.init(reading:))
    }

    /// Ends every row of a recipient that waits.
    ///
    /// - Returns: How many there were.
    @discardableResult
    package func end<Element: QueueRow>(
        _: Element.Type, of recipient: Element.Recipient, as state: Element.State, reason: String, at now: Timestamp
    ) throws(StoreError) -> Int {
        try run(
            Element.queue.endOfRecipient,
            values: [.text(state.rawValue), .text(reason), .time(now)] + recipient.values)
    }

    /// Removes rows that ended in this state at `moment` or before, the earliest first.
    ///
    /// - Returns: How many went; less than `limit` when there are no more.
    package func remove<Element: QueueRow>(
        _: Element.Type, _ state: Element.State, endedBy moment: Timestamp, limit: Int
    ) throws(StoreError) -> Int {
        try run(Element.queue.removeEnded, .text(state.rawValue), .time(moment), .limit(limit))
    }

    /// The number of rows in each state that an attempt or an operator can change.
    package func backlog<Element: QueueRow>(
        of _: Element.Type
    ) throws(StoreError) -> [(state: String, count: Int64)] {
        try rows(Element.queue.backlog) { row throws(StoreError) in (try row.text(), try row.integer()) }
    }
}

extension QueueRow {
    fileprivate func settlement(
        as state: State, reason: String?, nextAttempt: Timestamp?, at now: Timestamp
    ) -> Call {
        Call(
            Self.queue.settle, .integer(key), .text(claim?.holder ?? ""), .integer(attempts), .text(state.rawValue),
            .text(orNull: reason), .time(orNull: state.isOpen ? nextAttempt ?? now : nil),
            .time(orNull: state.isOpen ? nil : now))
    }
}
