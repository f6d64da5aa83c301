/// What becomes of a backup's rows: the people stay, everything that was issued to them before dies.
struct Restoration: Sendable {
    let now: Timestamp

    /// - Returns: The row as it is to be kept; nil if it is not.
    func callAsFunction(_ row: TableRow) -> TableRow? {
        // Whether it was used after the backup, nobody knows any more.
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
        case "signing_keys":
            if row["state"] != .text(StoredSigningKey.State.revoked.rawValue) {
                row["state"] = .text(StoredSigningKey.State.revoked.rawValue)
                row["retires_at"] = .time(now)
            }
        case "clients":
            // It may have been replaced because somebody else knew it.
            row["previous_secret_hash"] = .null(.blob)
            row["previous_secret_until"] = .null(.integer)
        default: break
        }
        return row
    }

    /// Tables of things that count once: a row says when it was used.
    static func isSingleUse(_ table: TableShape) -> Bool { table.position(of: "consumed_at") != nil }

    /// Above every epoch there can have been since the backup, not only above the one in it: they grow by one, much more
    /// rarely than once a second.
    private func epoch(after value: SQLValue?) -> Int64 {
        guard case .integer(let epoch) = value else { return now.seconds }
        return max(epoch &+ 1, now.seconds)
    }
}

extension SQLValue {
    fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}
