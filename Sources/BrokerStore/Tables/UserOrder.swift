import StoreSchema

/// An order of users in the lists of administrators. Users without a value come last.
package struct UserOrder: Sendable, Hashable {
    package enum Key: String, Sendable, Hashable, CaseIterable {
        case localID = "local_id"
        case displayName = "display_name"
        case createdAt = "created_at"
        case lastLoginAt = "last_login_at"
        case email = "email_canonical"
    }

    package let key: Key
    package let isDescending: Bool

    package init(by key: Key, isDescending: Bool = false) {
        self.key = key
        self.isDescending = isDescending
    }
}

extension UserOrder {
    /// A page of users in this order.
    fileprivate var page: Statement {
        let (column, direction) = (key.rawValue, isDescending ? "DESC" : "ASC")
        return Statement(
            "listed_users_by_\(column)_\(isDescending ? "descending" : "ascending")",
            """
            SELECT \(User.columns) FROM users
            ORDER BY CASE WHEN \(column) IS NULL THEN 1 ELSE 0 END, \(column) \(direction), local_id \(direction)
            LIMIT $1 OFFSET $2
            """, .integer, .integer)
    }

    /// The pages of all orders.
    static let statements = Key.allCases.flatMap { key in
        [UserOrder(by: key).page, UserOrder(by: key, isDescending: true).page]
    }
}

extension Transaction {
    /// Users in an order, without the first `offset` ones.
    package func users(in order: UserOrder, offset: Int, limit: Int) throws(StoreError) -> [User] {
        try rows(order.page, .limit(limit), .limit(offset), decode: User.init(reading:))
    }

    /// The number of users.
    package func userCount() throws(StoreError) -> Int {
        try value("count_users", "SELECT count(*) FROM users") { row throws(StoreError) in
            Int(try row.integer())
        } ?? 0
    }
}
