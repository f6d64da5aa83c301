import StoreSchema

/// A table into which unauthenticated callers insert rows.
package enum OpenTable: String, Sendable, Hashable, CaseIterable {
    case signInAttempts = "sign_in_attempts"
    case deviceAuthorizations = "device_authorizations"

    /// The order of removal, in SQL: 0 for finished rows, 1 for those not continued, 2 for those that a provider or a
    /// user has answered.
    fileprivate var rank: String {
        switch self {
        case .signInAttempts: "CASE WHEN consumed_at IS NOT NULL THEN 0 WHEN handle_hash IS NULL THEN 1 ELSE 2 END"
        case .deviceAuthorizations:
            "CASE WHEN consumed_at IS NOT NULL OR decision = 'denied' THEN 0 WHEN decision IS NULL THEN 1 ELSE 2 END"
        }
    }

    fileprivate var statements: OpenTableStatements {
        switch self {
        case .signInAttempts: .signInAttempts
        case .deviceAuthorizations: .deviceAuthorizations
        }
    }
}

/// The number of rows of a requester in an open table.
package struct RequesterShare: Sendable, Hashable {
    package let requester: String
    package let rows: Int

    package init(requester: String, rows: Int) {
        self.requester = requester
        self.rows = rows
    }
}

/// The statements that bound one open table.
struct OpenTableStatements: Sendable {
    static let signInAttempts = OpenTableStatements(.signInAttempts)
    static let deviceAuthorizations = OpenTableStatements(.deviceAuthorizations)

    let ofRequester, total, shares, trim: Statement

    private init(_ table: OpenTable) {
        let name = table.rawValue
        ofRequester = Statement(
            "bound_\(name)_of_requester",
            "SELECT count(*) FROM (SELECT key FROM \(name) WHERE requester = $1 LIMIT $2) AS counted", .text, .integer)
        total = Statement("bound_\(name)_total", "SELECT count(*) FROM \(name)")
        shares = Statement(
            "bound_\(name)_shares",
            """
            SELECT requester, count(*) FROM \(name) WHERE requester >= $1
            GROUP BY requester ORDER BY count(*) DESC, requester LIMIT $2
            """, .text, .integer)
        trim = Statement(
            "bound_\(name)_trim",
            """
            DELETE FROM \(name) WHERE key IN (
                SELECT key FROM \(name) WHERE requester = $1 ORDER BY \(table.rank), key LIMIT $2)
            """, .text, .integer)
    }

    static let all = [signInAttempts, deviceAuthorizations].flatMap { [$0.ofRequester, $0.total, $0.shares, $0.trim] }
}

extension Transaction {
    /// The number of rows of a requester in `table`, at most `limit`.
    package func rows(of requester: String, in table: OpenTable, atMost limit: Int) throws(StoreError) -> Int {
        try count(table.statements.ofRequester, .text(requester), .limit(limit))
    }

    /// The number of rows of `table`.
    package func rows(in table: OpenTable) throws(StoreError) -> Int { try count(table.statements.total) }

    /// The requesters with the most rows, these first, of those whose names come not before `first`.
    package func largestShares(
        of table: OpenTable, from first: String, limit: Int
    ) throws(StoreError) -> [RequesterShare] {
        try rows(table.statements.shares, .text(first), .limit(limit)) { row throws(StoreError) in
            RequesterShare(requester: try row.text(), rows: Int(clamping: try row.integer()))
        }
    }

    /// Removes the oldest rows of a requester: first finished rows, then those not continued.
    ///
    /// - Returns: how many went.
    @discardableResult
    package func trim(_ table: OpenTable, of requester: String, by count: Int) throws(StoreError) -> Int {
        try run(table.statements.trim, .text(requester), .limit(count))
    }

    private func count(_ statement: Statement, _ values: SQLValue...) throws(StoreError) -> Int {
        try value(statement, values: values) { row throws(StoreError) in Int(clamping: try row.integer()) } ?? 0
    }
}
