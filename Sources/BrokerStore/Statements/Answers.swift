/// The answers to calls that need nothing from each other, read in the order of the calls, each once.
struct Answers: ~Copyable {
    enum Source {
        /// Each call runs when its answer is read.
        case connection(any Connection)
        /// All calls have run.
        case results([PostgreSQLResult])
    }

    private let calls: [Call]
    private let source: Source
    private var position = 0

    init(to calls: [Call], from source: Source) {
        self.calls = calls
        self.source = source
    }

    /// Reads the rows of the next answer.
    ///
    /// - Returns: The number of rows that the statement answers with, or has changed where it answers with none.
    @discardableResult
    mutating func next(
        _ each: (inout Row) throws(StoreError) -> Void = { _ throws(StoreError) in }
    ) throws(StoreError) -> Int {
        guard position < calls.count else { throw StoreError(.misuse, "there are only \(calls.count) answers") }
        let call = calls[position]
        defer { position += 1 }
        switch source {
        case .connection(let connection): return try connection.run(call.statement, call.values, each)
        case .results(let results): return try results[position].forEachRow(of: call.statement.name, each)
        }
    }

    /// Passes over the answers that were not read.
    mutating func skipRest() throws(StoreError) {
        while position < calls.count { try next() }
    }
}

extension Transaction {
    /// Runs calls one after the other.
    func answering(
        _ calls: [Call], _ read: (inout Answers) throws(StoreError) -> Void
    ) throws(StoreError) {
        var answers = Answers(to: calls, from: .connection(connection))
        try read(&answers)
        try answers.skipRest()
    }
}
