import BrokerStore

/// The result of an administrator's change of a row of a queue.
enum QueueChange<Element: QueueRow>: Sendable, Hashable {
    case done(Element)
    /// The row is in a state that allows no change.
    case tooLate(Element)
    case notFound
}

extension QueuedWork {
    /// Rows, oldest first. A list that is cut has the latest ones where the queue says so
    /// (``QueueTable``), else the oldest.
    ///
    /// - Parameters:
    ///   - selection: Which ones.
    ///   - includesSettled: Whether a list of every state has the done and the dropped ones too.
    ///   - limit: How many at most.
    /// - Returns: The rows.
    /// - Throws: A store's error.
    func list(
        _ selection: QueueSelection<Element>, includesSettled: Bool, limit: Int
    ) async throws -> [Element] {
        try await store.read {
            try $0.rows(selection, includesSettled: includesSettled || selection.state != nil, limit: limit)
        }
    }

    /// The row with this name, which no other row may have.
    func row(_ name: String) async throws -> Element? {
        try await store.read { try $0.rows(of: Element.self, named: name).first }
    }

    /// Makes a row due at once, also a dead one, with the whole time until it is abandoned.
    func retry(_ name: String, origin: Origin) async throws -> QueueChange<Element> {
        try await change(name, "retried", origin) { row, transaction in
            try transaction.retry(QueueSelection(row), limit: 1, at: transaction.now).first
        }
    }

    /// Ends a row without another attempt, and erases its secret.
    func drop(_ name: String, origin: Origin) async throws -> QueueChange<Element> {
        try await change(name, "dropped", origin) { row, transaction in
            try transaction.drop(
                QueueSelection(row), reason: "dropped by an administrator", limit: 1, at: transaction.now
            ).first
        }
    }

    private func change(
        _ name: String, _ event: String, _ origin: Origin,
        _ body: @escaping @Sendable (Element, borrowing Transaction) throws -> Element?
    ) async throws -> QueueChange<Element> {
        try await write(by: origin) { transaction in
            guard let before = try transaction.rows(of: Element.self, named: name).first else { return .notFound }
            guard let changed = try body(before, transaction) else { return .tooLate(before) }
            try audit?(event, before, nil, transaction)
            return .done(changed)
        }
    }
}
