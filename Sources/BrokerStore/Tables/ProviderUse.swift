/// The users who sign in with a provider.
package struct ProviderUse: Sendable, Hashable {
    /// The users with an identity of it.
    package let users: Int
    /// Those of them who have no other way to sign in.
    package let onlyWayIn: Int
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
        let users = try value(
            "users_of_provider", "SELECT count(*) FROM identities WHERE provider = $1", .text(provider)
        ) { row throws(StoreError) in try row.integer() }
        // `$2` has the ids of the other providers that users can sign in with, each between commas of its own. The
        // engines have no list type in common; an id has no comma.
        let list = others.map { ",\($0)," }.joined()
        let onlyWayIn = try value(
            "only_way_in_of_provider",
            """
            SELECT count(*) FROM identities AS own WHERE own.provider = $1
                AND NOT EXISTS (SELECT 1 FROM users WHERE users.key = own.user_key AND users.custom_auth = 1)
                AND NOT EXISTS (
                    SELECT 1 FROM identities AS other WHERE other.user_key = own.user_key AND other.provider <> $1
                    AND replace($2, ',' || other.provider || ',', '') <> $2)
            """, .text(provider), .text(list)
        ) { row throws(StoreError) in try row.integer() }
        return ProviderUse(users: Int(clamping: users ?? 0), onlyWayIn: Int(clamping: onlyWayIn ?? 0))
    }
}
