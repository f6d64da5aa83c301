import StoreSchema

/// The change of a backup's rows at a restore: users stay, everything issued to them before becomes invalid.
struct Restoration: Sendable {
    let now: Timestamp

    /// - Returns: The restored row; nil if the row is dropped.
    func callAsFunction(_ row: TableRow) -> TableRow? {
        // It may have been consumed after the backup.
        guard !Self.isSingleUse(row.table) else { return nil }
        var row = row
        switch row.table.name {
        case "users":
            row["epoch"] = .integer(epoch(after: row["epoch"]))
            row["valid_since"] = .integer(now.seconds)
        case "sessions":
            if row["revoked_at"]?.isNull == true {
                row["revoked_at"] = .time(now)
                row["revoked_reason"] = .text("the store was restored")
            }
        case "admin_credentials", "service_accounts":
            // It may have been revoked since, because it leaked.
            if row["revoked_at"]?.isNull == true { row["revoked_at"] = .time(now) }
        case "console_sessions": return nil
        case "console_administrators":
            // The administrator may have been removed since. The host can invite again.
            if row["role"]?.isNull == false { return nil }
        case "signing_keys":
            if row["state"] != .text(StoredSigningKey.State.revoked.rawValue) {
                row["state"] = .text(StoredSigningKey.State.revoked.rawValue)
                row["retires_at"] = .time(now)
            }
        case "clients":
            // It may have been replaced because it leaked.
            row["previous_secret_hash"] = .null(.blob)
            row["previous_secret_until"] = .null(.integer)
        default: break
        }
        return row
    }

    /// The tables of single-use rows, with the column of their consumption.
    static func isSingleUse(_ table: TableDefinition) -> Bool { table.position(of: "consumed_at") != nil }

    /// Above every epoch there can have been since the backup, not only above the one in it: they grow by one, much
    /// more rarely than once a second.
    private func epoch(after value: SQLValue?) -> Int64 {
        guard case .integer(let epoch) = value else { return now.seconds }
        return max(epoch &+ 1, now.seconds)
    }
}

extension SQLValue {
    fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}
