/// The users who sign in with a provider.
package struct ProviderUse: Sendable, Hashable {
    /// The users with an identity of it.
    package let users: Int
    /// Those of them who have no other way to sign in.
    package let onlyWayIn: Int
}

/// The statements that count the users of a provider.
enum ProviderUseStatements {
    static let users = Statement(
        "users_of_provider", "SELECT count(*) FROM identities WHERE provider = $1", .text)

    /// `$2` has the ids of the other providers that users can sign in with, each between commas of its own. The engines
    /// have no list type in common; an id has no comma.
    static let onlyWayIn = Statement(
        "only_way_in_of_provider",
        """
        SELECT count(*) FROM identities AS own WHERE own.provider = $1
            AND NOT EXISTS (SELECT 1 FROM users WHERE users.key = own.user_key AND users.custom_auth = 1)
            AND NOT EXISTS (
                SELECT 1 FROM identities AS other WHERE other.user_key = own.user_key AND other.provider <> $1
                AND replace($2, ',' || other.provider || ',', '') <> $2)
        """, .text, .text)

    static let all = [users, onlyWayIn]
}

extension Transaction {
    /// Counts the users of a provider. Custom tokens are a way to sign in.
    ///
    /// - Parameters:
    ///   - provider: The id of its entry.
    ///   - others: The ids of the other entries that users can sign in with.
    /// - Returns: The numbers.
    /// - Throws: ``StoreError``.
    package func use(ofProvider provider: String, beside others: [String]) throws(StoreError) -> ProviderUse {
        let list = others.map { ",\($0)," }.joined()
        return ProviderUse(
            users: try count(ProviderUseStatements.users, .text(provider)),
            onlyWayIn: try count(ProviderUseStatements.onlyWayIn, .text(provider), .text(list)))
    }

    private func count(_ statement: Statement, _ values: SQLValue...) throws(StoreError) -> Int {
        guard var row = try run(statement, values: values).first else { return 0 }
        return Int(clamping: try row.integer())
    }
}
