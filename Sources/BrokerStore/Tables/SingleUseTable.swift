import StoreSchema

/// A row of a table of single-use secrets. It is found by the hash of its secret, is usable until it expires, and is
/// consumed once: of any number of concurrent attempts, one gets it. The table has the columns `expires_at` and
/// `consumed_at`.
///
/// `sign_in_attempts` serves every secret that carries nothing queried: redirects, pushed requests and link codes. Pending
/// tokens would belong there too, but brokers of one store must find each other's during an upgrade
/// (Docs/Decisions/0009-rolling-upgrades.md).
protocol SingleUseRow: Record {
    static var singleUse: SingleUseStatements { get }
}

/// The tables of single-use secrets, for housekeeping.
package enum SingleUseTable: String, Sendable, Hashable, CaseIterable {
    case signInAttempts = "sign_in_attempts"
    case pendingTokens = "pending_tokens"
    case authorizationCodes = "authorization_codes"
    case deviceAuthorizations = "device_authorizations"

    fileprivate var statements: SingleUseStatements {
        switch self {
        case .signInAttempts: SignInAttemptRow.singleUse
        case .pendingTokens: PendingToken.singleUse
        case .authorizationCodes: AuthorizationCode.singleUse
        case .deviceAuthorizations: DeviceAuthorizationRow.singleUse
        }
    }
}

extension SignInAttemptRow: SingleUseRow {
    static let singleUse = SingleUseStatements(SignInAttemptRow.self, "state_hash")
}

extension PendingToken: SingleUseRow {
    static let singleUse = SingleUseStatements(PendingToken.self, "token_hash")
}

extension AuthorizationCode: SingleUseRow {
    static let singleUse = SingleUseStatements(AuthorizationCode.self, "code_hash")
}

extension DeviceAuthorizationRow: SingleUseRow {
    static let singleUse = SingleUseStatements(
        DeviceAuthorizationRow.self, "device_code_hash", where: "decision = 'approved'")
}

/// The statements that every table of single-use secrets has.
struct SingleUseStatements: Sendable {
    let usable, consume, removeExpired: Statement

    /// - Parameters:
    ///   - row: A row of the table.
    ///   - hash: The column with the hash of the secret.
    ///   - condition: What else a usable row fulfils, in SQL.
    init<R: Record>(_ row: R.Type, _ hash: String, where condition: String? = nil) {
        let name = row.table.name
        let isUsable =
            "\(hash) = $1 AND consumed_at IS NULL AND expires_at > $2" + (condition.map { " AND \($0)" } ?? "")
        usable = Statement(
            "single_use_\(name)_usable", "SELECT \(row.columns) FROM \(name) WHERE \(isUsable)", .blob, .integer)
        consume = Statement(
            "single_use_\(name)_consume",
            "UPDATE \(name) SET consumed_at = $2 WHERE \(isUsable) RETURNING \(row.columns)", .blob, .integer)
        removeExpired = Statement(
            "single_use_\(name)_remove_expired",
            """
            DELETE FROM \(name) WHERE key IN (
                SELECT key FROM \(name) WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
            """, .integer, .integer)
    }

    static let all = SingleUseTable.allCases.flatMap { table in
        [table.statements.usable, table.statements.consume, table.statements.removeExpired]
    }
}

extension Transaction {
    /// The row of a secret with this hash, unless it was consumed or has expired.
    func usable<R: SingleUseRow>(_ type: R.Type, hash: [UInt8], at now: Timestamp) throws(StoreError) -> R? {
        try value(type.singleUse.usable, .blob(hash), .time(now), decode: R.init(reading:))
    }

    /// Consumes the secret with this hash, whatever comes of it.
    ///
    /// - Returns: its row; nil if there is none, it was consumed before, or it has expired.
    func consume<R: SingleUseRow>(_ type: R.Type, hash: [UInt8], at now: Timestamp) throws(StoreError) -> R? {
        try value(type.singleUse.consume, .blob(hash), .time(now), decode: R.init(reading:))
    }

    /// Removes rows that expired at `moment` or before, the earliest first.
    ///
    /// - Returns: how many were removed; less than `limit` when there are no more.
    package func removeExpired(
        from table: SingleUseTable, by moment: Timestamp, limit: Int
    ) throws(StoreError) -> Int {
        try run(table.statements.removeExpired, .time(moment), .limit(limit))
    }
}
