// Generated from `decisions` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// The record of a decision about a credential's user. Never changed; it outlives the user and is removed only by age.
package struct Decision: Record {
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
    /// Whether the audit has an entry of the same key about the same user, by which it is found.
    package var isAudited: Bool

    package init(
        key: Int64, at: Timestamp, requestID: String, provider: String, issuer: String, subjectHash: String,
        localID: String? = nil, rule: String, outcome: String, evidence: String, isAudited: Bool = false
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
        self.isAudited = isAudited
    }
}

extension Decision {
    package static let table = TableDefinition.decisions
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        at = try row.time()
        requestID = try row.text()
        provider = try row.text()
        issuer = try row.text()
        subjectHash = try row.text()
        localID = try row.optionalText()
        rule = try row.text()
        outcome = try row.text()
        evidence = try row.text()
        isAudited = try row.flag()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .time(at), .text(requestID), .text(provider), .text(issuer), .text(subjectHash),
            .text(orNull: localID), .text(rule), .text(outcome), .text(evidence), .flag(isAudited),
        ]
    }
}
