import StoreSchema

/// The declaration of a table that is a queue, and its statements.
package struct QueueTable<Element: QueueRow>: Sendable {
    let named, list, due, claim, settle, retry, drop, endOfRecipient, removeEnded, backlog: Statement

    /// - Parameters:
    ///   - recipient: The columns that name the recipient.
    ///   - isWaiting: A condition of an index for due rows, in SQL: true for every row that waits.
    ///   - eligible: A further condition of a row that is claimed, in SQL. It names the row `due`.
    ///   - secret: A column that a done or dropped row loses.
    ///   - retryable: The states of rows that an operator can queue again.
    ///   - retrying: Assignments besides, when an operator queues a row again, in SQL.
    ///   - listsLatest: Whether a list that is cut has the latest rows; the oldest otherwise.
    init(
        recipient: [String], due isWaiting: String? = nil, eligible: String? = nil,
        secret: String? = nil, retryable: [Element.State] = Element.State.allCases.filter { !$0.isSettled },
        retrying: String? = nil, listsLatest: Bool = false
    ) {
        let (table, columns) = (Element.table.name, Element.columns)
        let fields = Element.Field.allCases.map(\.rawValue)
        let recipients = recipient.map { _ in ColumnType.text }
        func states(_ states: [Element.State]) -> String { states.map { "'\($0.rawValue)'" }.joined(separator: ", ") }
        let settled = states(Element.State.allCases.filter(\.isSettled))
        let unsettled = states(Element.State.allCases.filter { !$0.isSettled })

        named = Statement(
            "queue_\(table)_named",
            "SELECT \(columns) FROM \(table) WHERE \(fields[0]) = $1 ORDER BY key", .text)

        let (chosen, count) = (Self.selection(fields), QueueSelection<Element>.parameters.count)
        list = Statement(
            "queue_\(table)_list",
            """
            SELECT \(columns) FROM \(table) WHERE \(chosen) AND ($\(count + 1) = 1 OR state NOT IN (\(settled)))
            ORDER BY key\(listsLatest ? " DESC" : "") LIMIT $\(count + 2)
            """, parameters: QueueSelection<Element>.parameters + [.integer, .integer])

        // A lease that ends after `$2` was written with a wrong clock and is ignored.
        let isDue =
            (isWaiting.map { "\($0) AND " } ?? "")
            + "next_attempt_at <= $1 AND (lease_until IS NULL OR lease_until <= $1 OR lease_until > $2)"
        due = Statement(
            "queue_\(table)_due",
            "SELECT DISTINCT \(recipient.joined(separator: ", ")) FROM \(table) WHERE \(isDue)", .integer, .integer)
        let isOfRecipient = recipient.enumerated().map { "\($1) = $\($0 + 5)" }.joined(separator: " AND ")
        // The condition stands in both places: at READ COMMITTED a row that another broker has just claimed is looked
        // at again, and the subquery is not.
        claim = Statement(
            "queue_\(table)_claim",
            """
            UPDATE \(table) SET lease_holder = $3, lease_until = $4, attempts = attempts + 1 WHERE key IN (
                SELECT key FROM \(table) AS due WHERE \(isOfRecipient) AND \(isDue)\
            \(eligible.map { " AND \($0)" } ?? "")
                ORDER BY next_attempt_at, key LIMIT $\(recipient.count + 5)) AND \(isDue)
            RETURNING \(columns)
            """, parameters: [.integer, .integer, .text, .integer] + recipients + [.integer])

        let release = "lease_holder = NULL, lease_until = NULL"
        func erasure(_ state: String) -> String {
            secret.map { ", \($0) = CASE WHEN \(state) IN (\(settled)) THEN NULL ELSE \($0) END" } ?? ""
        }
        settle = Statement(
            "queue_\(table)_settle",
            """
            UPDATE \(table) SET state = $4, reason = $5, next_attempt_at = $6, ended_at = $7, \(release)\(erasure("$4"))
            WHERE key = $1 AND lease_holder = $2 AND attempts = $3 AND ended_at IS NULL
            """, .integer, .text, .integer, .text, .text, .integer, .integer)

        // The condition stands in both places here too. A row without its secret cannot be attempted again.
        func change(_ assignments: String, _ allowed: String) -> String {
            let isAllowed = "state IN (\(allowed))" + (secret.map { " AND \($0) IS NOT NULL" } ?? "")
            return """
                UPDATE \(table) SET \(assignments) WHERE key IN (
                    SELECT key FROM \(table) WHERE \(chosen) AND \(isAllowed) ORDER BY key LIMIT $\(count + 1))
                    AND \(isAllowed)
                RETURNING \(columns)
                """
        }
        retry = Statement(
            "queue_\(table)_retry",
            change(
                """
                state = \(states([.queued])), queued_at = $\(count + 2), next_attempt_at = $\(count + 2), ended_at = NULL\
                \(retrying.map { ", \($0)" } ?? "")
                """, states(retryable)),
            parameters: QueueSelection<Element>.parameters + [.integer, .integer])
        drop = Statement(
            "queue_\(table)_drop",
            change(
                """
                state = \(states([.dropped])), reason = $\(count + 3), ended_at = $\(count + 2), next_attempt_at = NULL, \
                \(release)\(secret.map { ", \($0) = NULL" } ?? "")
                """, unsettled),
            parameters: QueueSelection<Element>.parameters + [.integer, .integer, .text])
        let isOfEnded = recipient.enumerated().map { "\($1) = $\($0 + 4)" }.joined(separator: " AND ")
        endOfRecipient = Statement(
            "queue_\(table)_end_of_recipient",
            """
            UPDATE \(table) SET state = $1, reason = $2, ended_at = $3, next_attempt_at = NULL, \(release)\(erasure("$1"))
            WHERE \(isOfEnded) AND ended_at IS NULL
            """, parameters: [.text, .text, .integer] + recipients)

        removeEnded = Statement(
            "queue_\(table)_remove_ended",
            """
            DELETE FROM \(table) WHERE key IN (
                SELECT key FROM \(table) WHERE state = $1 AND ended_at <= $2 ORDER BY ended_at LIMIT $3)
            """, .text, .integer, .integer)
        backlog = Statement(
            "queue_\(table)_backlog",
            "SELECT state, count(*) FROM \(table) WHERE state IN (\(unsettled)) GROUP BY state ORDER BY state")
    }

    var all: [Statement] {
        [named, list, due, claim, settle, retry, drop, endOfRecipient, removeEnded, backlog]
    }

    private static func selection(_ fields: [String]) -> String {
        let equal = (["state"] + fields).enumerated().map { "($\($0 + 3) IS NULL OR \($1) = $\($0 + 3))" }
        return (["key > $1 AND key <= $2"] + equal).joined(separator: " AND ")
    }
}

/// Rows of a queue: those with these values. A value that is nil or absent selects all.
package struct QueueSelection<Element: QueueRow>: Sendable, Hashable {
    package var fields: [Element.Field: String]
    package var state: Element.State?
    /// Only rows after this key.
    var after: Int64 = .min
    /// Only rows up to this key.
    var end: Int64 = .max

    package init(_ fields: [Element.Field: String?] = [:], state: Element.State? = nil, since moment: Timestamp? = nil)
    {
        self.fields = fields.compactMapValues(\.self)
        self.state = state
        if let moment { after = KeyGenerator.firstKey(after: moment) }
    }

    /// One row.
    package init(_ row: Element) {
        self.init()
        (after, end) = (row.key - 1, row.key)
    }

    static var parameters: [ColumnType] {
        [.integer, .integer, .text] + Element.Field.allCases.map { _ in .text }
    }

    var values: [SQLValue] {
        [.integer(after), .integer(end), .text(orNull: state?.rawValue)]
            + Element.Field.allCases.map { .text(orNull: fields[$0]) }
    }
}
