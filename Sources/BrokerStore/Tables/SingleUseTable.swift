/// A table of single-use secrets. A row is found by the hash of its secret, is usable until it expires, and is consumed once:
/// of any number of concurrent attempts, one gets it.
///
/// `sign_in_attempts` serves every secret that carries nothing queried: redirects, pushed requests and link codes. Pending
/// tokens would belong there too, but brokers of one store must find each other's during an upgrade
/// (Docs/Decisions/0009-rolling-upgrades.md).
package enum SingleUseTable: String, Sendable, Hashable, CaseIterable {
    case signInAttempts = "sign_in_attempts"
    case pendingTokens = "pending_tokens"
    case authorizationCodes = "authorization_codes"
    case deviceAuthorizations = "device_authorizations"

    fileprivate var statements: SingleUseStatements {
        switch self {
        case .signInAttempts: .signInAttempts
        case .pendingTokens: .pendingTokens
        case .authorizationCodes: .authorizationCodes
        case .deviceAuthorizations: .deviceAuthorizations
        }
    }
}

/// The statements that every table of single-use secrets has.
struct SingleUseStatements: Sendable {
    static let signInAttempts = SingleUseStatements(.signInAttempts, "state_hash", SignInAttemptStatements.columns)
    static let pendingTokens = SingleUseStatements(.pendingTokens, "token_hash", PendingTokenStatements.columns)
    static let authorizationCodes = SingleUseStatements(.authorizationCodes, "code_hash", AuthorizationCode.columns)
    static let deviceAuthorizations = SingleUseStatements(
        .deviceAuthorizations, "device_code_hash", DeviceAuthorizationRow.columns, where: "decision = 'approved'")

    let usable, consume, removeExpired: Statement

    /// - Parameters:
    ///   - table: The table.
    ///   - hash: Its column with the hash of the secret.
    ///   - columns: The columns a row is read from.
    ///   - condition: What else a usable row fulfils, in SQL.
    private init(_ table: SingleUseTable, _ hash: String, _ columns: String, where condition: String? = nil) {
        let name = table.rawValue
        let isUsable =
            "\(hash) = $1 AND consumed_at IS NULL AND expires_at > $2" + (condition.map { " AND \($0)" } ?? "")
        usable = Statement(
            "single_use_\(name)_usable", "SELECT \(columns) FROM \(name) WHERE \(isUsable)", .blob, .integer)
        consume = Statement(
            "single_use_\(name)_consume",
            "UPDATE \(name) SET consumed_at = $2 WHERE \(isUsable) RETURNING \(columns)", .blob, .integer)
        removeExpired = Statement(
            "single_use_\(name)_remove_expired",
            """
            DELETE FROM \(name) WHERE key IN (
                SELECT key FROM \(name) WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) RETURNING key
            """, .integer, .integer)
    }

    static let all = SingleUseTable.allCases.flatMap { table in
        [table.statements.usable, table.statements.consume, table.statements.removeExpired]
    }
}

extension Transaction {
    /// The row of a secret with this hash, unless it was consumed or has expired.
    func usable(_ table: SingleUseTable, hash: [UInt8], at now: Timestamp) throws(StoreError) -> Row? {
        try run(table.statements.usable, .blob(hash), .time(now)).first
    }

    /// Consumes the secret with this hash, whatever comes of it.
    ///
    /// - Returns: its row; nil if there is none, it was consumed before, or it has expired.
    func consume(_ table: SingleUseTable, hash: [UInt8], at now: Timestamp) throws(StoreError) -> Row? {
        try run(table.statements.consume, .blob(hash), .time(now)).first
    }

    /// Removes rows that expired at `moment` or before, the earliest first.
    ///
    /// - Returns: how many were removed; less than `limit` when there are no more.
    package func removeExpired(
        from table: SingleUseTable, by moment: Timestamp, limit: Int
    ) throws(StoreError) -> Int {
        try run(table.statements.removeExpired, .time(moment), .limit(limit)).count
    }
}
