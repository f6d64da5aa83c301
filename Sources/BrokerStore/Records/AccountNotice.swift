// Generated from `account_notices` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// Something about an account that each session's app is told once, in the answer to its sign-in or next refresh.
package struct AccountNotice: Record {
    /// Private, time-ordered.
    package var key: Int64
    package var userKey: Int64
    package var kind: Kind
    /// The local id of the other user of a merge.
    package var value: String?
    package var createdAt: Timestamp

    package init(key: Int64, userKey: Int64, kind: Kind, value: String? = nil, createdAt: Timestamp) {
        self.key = key
        self.userKey = userKey
        self.kind = kind
        self.value = value
        self.createdAt = createdAt
    }
}

extension AccountNotice {
    package static let table = TableDefinition.accountNotices
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        userKey = try row.integer()
        kind = try row.choice(Kind.self)
        value = try row.optionalText()
        createdAt = try row.time()
    }

    package var values: [SQLValue] {
        [.integer(key), .integer(userKey), .text(kind.rawValue), .text(orNull: value), .time(createdAt)]
    }
}
