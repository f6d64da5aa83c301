// Generated from `withdrawals` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A provider grant that is to be revoked at its provider, after it left the identity it belonged to.
///
/// The row has no personal data: the subject and the tokens are sealed.
package struct Withdrawal: Record {
    /// Private, time-ordered.
    package var key: Int64
    /// The receipt: random, public.
    package var id: String
    /// The id of the provider entry.
    package var provider: String
    /// The issuer or the instance that knows the subject.
    package var issuer: String
    /// Stands for the subject.
    package var subjectHash: String
    /// The broker's client at the provider that obtained the tokens.
    package var clientID: String
    package var tokenHint: TokenHint
    package var cause: Cause
    /// Subject and tokens; nil once the row is done or dropped.
    package var sealedGrant: [UInt8]?
    package var createdAt: Timestamp
    package var progress: QueueProgress<State>

    package init(
        key: Int64, id: String, provider: String, issuer: String, subjectHash: String, clientID: String,
        tokenHint: TokenHint, cause: Cause, sealedGrant: [UInt8]? = nil, createdAt: Timestamp,
        progress: QueueProgress<State>
    ) {
        self.key = key
        self.id = id
        self.provider = provider
        self.issuer = issuer
        self.subjectHash = subjectHash
        self.clientID = clientID
        self.tokenHint = tokenHint
        self.cause = cause
        self.sealedGrant = sealedGrant
        self.createdAt = createdAt
        self.progress = progress
    }
}

extension Withdrawal {
    package static let table = TableDefinition.withdrawals
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        provider = try row.text()
        issuer = try row.text()
        subjectHash = try row.text()
        clientID = try row.text()
        tokenHint = try row.choice(TokenHint.self)
        cause = try row.choice(Cause.self)
        sealedGrant = try row.optionalBlob()
        createdAt = try row.time()
        progress = try QueueProgress<State>(reading: &row)
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(id), .text(provider), .text(issuer), .text(subjectHash), .text(clientID),
            .text(tokenHint.rawValue), .text(cause.rawValue), .blob(orNull: sealedGrant), .time(createdAt),
        ]
            + progress.values
    }
}
