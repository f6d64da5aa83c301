import StoreSchema

@testable import BrokerStore

extension User {
    /// Writes the columns that every schema has.
    fileprivate static let firstInsertion = Statement(
        "insert_user_of_first_schema",
        """
        INSERT INTO users (key, local_id, email_verified, disabled, custom_auth, created_at, epoch)
        VALUES ($1, $2, 0, 0, 0, $3, 0)
        """, .integer, .text, .integer)
}

extension Store {
    /// Adds a user to a store whose schema is older than this broker, which writes columns that it does not have.
    func addUserOfFirstSchema() async throws -> User {
        let user = User.sample()
        try await write { tx in
            try tx.run(User.firstInsertion, .integer(user.key), .text(user.localID), .time(user.createdAt))
        }
        return user
    }
}
