import StoreSchema

/// A row, or a whole table, that is not as it must be. Tells nothing personal.
package struct Violation: Sendable, Hashable {
    package let table: String
    /// The row's private key, or what it belongs to; nil when the table as a whole is meant.
    package let row: String?
    package let complaint: String
}

/// The findings of a verification of a store at one moment.
package struct StoreReport: Sendable, Hashable {
    package let schemaVersion: Int64
    package let tables: [TableDigest]
    package let violations: [Violation]
}

extension Store {
    /// Examines every table while others go on writing.
    ///
    /// - Parameter report: Receives the progress.
    /// - Returns: What was found.
    /// - Throws: The store's error.
    package func examine(
        report: @escaping @Sendable (StoreProgress) -> Void = { _ in }
    ) async throws -> StoreReport {
        try await read { tx in
            let violations =
                try tx.schemaViolations() + tx.fileViolations() + tx.rowViolations(report)
                + tx.wordViolations()
            return StoreReport(
                schemaVersion: try tx.schemaVersion(),
                tables: try tx.digests(.reading, of: try tx.rowCount(), report), violations: violations)
        }
    }
}

extension Transaction {
    fileprivate func rowViolations(_ report: (StoreProgress) -> Void) throws(StoreError) -> [Violation] {
        var found: [Violation] = []
        for (index, invariant) in Invariant.all.enumerated() {
            report(StoreProgress(.checking, table: invariant.table, index, of: Invariant.all.count))
            let rows = try rows(invariant.statement, .limit(Invariant.limit)) { row throws(StoreError) in
                Violation(table: invariant.table, row: try row.name(), complaint: invariant.complaint)
            }
            found += rows
            if rows.count == Invariant.limit {
                found.append(
                    Violation(table: invariant.table, row: nil, complaint: "has more rows than are named here"))
            }
        }
        return found
    }

    /// The users whose words are others than their texts have, once those of all users were written.
    fileprivate func wordViolations() throws(StoreError) -> [Violation] {
        var found: [Violation] = []
        guard try hasWordsOfAllUsers() else { return found }
        var position = Int64.min
        while found.count < Invariant.limit {
            let page = try usersWithOtherWords(after: position, limit: Invariant.limit)
            found += page.users.map { userKey in
                Violation(
                    table: TableDefinition.userWords.name, row: String(userKey),
                    complaint: "has other words than its user's texts; a running broker repairs them within a day")
            }
            guard let last = page.last else { break }
            position = last
        }
        return found
    }

    fileprivate func schemaViolations() throws(StoreError) -> [Violation] {
        let versions = try rows(
            "recorded_migrations", "SELECT version FROM schema_migrations ORDER BY version"
        ) { row throws(StoreError) in try row.integer() }
        guard versions != Migration.all.map(\.version) else { return [] }
        return [
            Violation(
                table: "schema_migrations", row: nil, complaint: "does not list the migrations this broker knows")
        ]
    }
}

extension Row {
    /// The key of the row in a report: the only column.
    fileprivate mutating func name() throws(StoreError) -> String? {
        switch try values().first {
        case .integer(let key): String(key)
        case .text(let name): name
        case .blob, .null, nil: nil
        }
    }
}
