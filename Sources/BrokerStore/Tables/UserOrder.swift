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

/// The statements that list and count users.
enum UserOrderStatements {
    /// A page of users in an order.
    static func page(_ order: UserOrder) -> Statement {
        let (column, direction) = (order.key.rawValue, order.isDescending ? "DESC" : "ASC")
        return Statement(
            "listed_users_by_\(column)_\(direction == "ASC" ? "ascending" : "descending")",
            """
            SELECT \(User.columns) FROM users
            ORDER BY CASE WHEN \(column) IS NULL THEN 1 ELSE 0 END, \(column) \(direction), local_id \(direction)
            LIMIT $1 OFFSET $2
            """, .integer, .integer)
    }

    static let count = Statement("count_users", "SELECT count(*) FROM users")

    static let all =
        UserOrder.Key.allCases.flatMap { key in
            [page(UserOrder(by: key)), page(UserOrder(by: key, isDescending: true))]
        } + [count]
}

extension Transaction {
    /// Users in an order, without the first `offset` ones.
    package func users(in order: UserOrder, offset: Int, limit: Int) throws(StoreError) -> [User] {
        let rows = try run(UserOrderStatements.page(order), .limit(limit), .limit(offset))
        return try rows.map { row throws(StoreError) in
            var row = row
            return try User(reading: &row)
        }
    }

    /// The number of users.
    package func userCount() throws(StoreError) -> Int {
        guard var row = try run(UserOrderStatements.count).first else { return 0 }
        return Int(try row.integer())
    }
}
