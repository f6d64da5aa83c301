/// The record of a decision about a credential's user. Never changed; it outlives the user and is removed only by age.
package struct Decision: Sendable, Hashable {
    /// Private, time-ordered.
    package var key: Int64
    package var at: Timestamp
    package var requestID: String
    package var provider: String
    package var issuer: String
    /// The hash of the provider's subject, which is not stored here.
    package var subjectHash: String
    /// The user it led to, if it led to one.
    package var localID: String?
    /// The rule that applied.
    package var rule: String
    /// The result of the decision.
    package var outcome: String
    /// The facts the rule looked at, a JSON object as text.
    package var evidence: String

    package init(
        key: Int64, at: Timestamp, requestID: String, provider: String, issuer: String, subjectHash: String,
        localID: String? = nil, rule: String, outcome: String, evidence: String
    ) {
        self.key = key
        self.at = at
        self.requestID = requestID
        self.provider = provider
        self.issuer = issuer
        self.subjectHash = subjectHash
        self.localID = localID
        self.rule = rule
        self.outcome = outcome
        self.evidence = evidence
    }
}

/// The statements of `decisions`: none of them changes a row.
enum DecisionStatements {
    static let columns = """
        key, at, request_id, provider, issuer, subject_hash, local_id, rule, outcome, evidence
        """

    static let append = Statement(
        "append_decision", "INSERT INTO decisions (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        .integer, .integer, .text, .text, .text, .text, .text, .text, .text, .text)

    static let ofUser = Statement(
        "decisions_of_user", "SELECT \(columns) FROM decisions WHERE local_id = $1 ORDER BY key DESC LIMIT $2",
        .text, .integer)

    static let ofRequest = Statement(
        "decisions_of_request",
        "SELECT \(columns) FROM decisions WHERE request_id = $1 ORDER BY key DESC LIMIT $2", .text, .integer)

    // Keys are in the order of time: what is recent is not looked at.
    static let removeAged = Statement(
        "remove_aged_decisions",
        """
        DELETE FROM decisions WHERE key IN (
            SELECT key FROM decisions WHERE key < $1 AND at <= $2 ORDER BY key LIMIT $3) RETURNING key
        """, .integer, .integer, .integer)

    static let all = [append, ofUser, ofRequest, removeAged]
}

extension Transaction {
    /// Adds `decision`, in the transaction that carries it out.
    package func append(_ decision: Decision) throws(StoreError) {
        try run(
            DecisionStatements.append, .integer(decision.key), .time(decision.at), .text(decision.requestID),
            .text(decision.provider), .text(decision.issuer), .text(decision.subjectHash),
            .text(orNull: decision.localID), .text(decision.rule), .text(decision.outcome), .text(decision.evidence))
    }

    /// The decisions that led to a user, latest first.
    package func decisions(localID: String, limit: Int) throws(StoreError) -> [Decision] {
        try run(DecisionStatements.ofUser, .text(localID), .limit(limit)).map(Decision.init(reading:))
    }

    /// The decisions one request led to, latest first.
    package func decisions(requestID: String, limit: Int) throws(StoreError) -> [Decision] {
        try run(DecisionStatements.ofRequest, .text(requestID), .limit(limit)).map(Decision.init(reading:))
    }

    /// Removes decisions of `moment` or before, the oldest first.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func removeDecisions(until moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(
            DecisionStatements.removeAged, .integer(KeyGenerator.firstKey(after: moment)), .time(moment), .limit(limit)
        ).count
    }
}

extension Decision {
    fileprivate init(reading row: Row) throws(StoreError) {
        var row = row
        try self.init(
            key: row.integer(), at: row.time(), requestID: row.text(), provider: row.text(), issuer: row.text(),
            subjectHash: row.text(), localID: row.optionalText(), rule: row.text(), outcome: row.text(),
            evidence: row.text())
    }
}
