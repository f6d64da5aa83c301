package import BrokerStore

/// Reads many users for an administrator (contract §7).
package struct UserBatches: Sendable {
    let store: Store

    /// The maximum number of users of a page.
    package static let maximumPage = 1000

    /// Users in the order of their local ids.
    ///
    /// - Parameters:
    ///   - localID: The last one of the previous page.
    ///   - limit: The maximum number of users.
    ///   - includesAliases: Whether aliases of users and identities are read.
    /// - Returns: The page; it is the last one if it has fewer users than `limit`.
    /// - Throws: A store's error.
    package func page(after localID: String?, limit: Int, includesAliases: Bool = false) async throws -> UserPage {
        let limit = min(limit, Self.maximumPage)
        return try await store.read { transaction in
            try transaction.userPage(after: localID, limit: limit, includesAliases: includesAliases)
        }
    }
}

extension UserPage {
    /// The users with their identities.
    package var records: [UserRecord] {
        users.map { UserRecord(user: $0, identities: identities[$0.key] ?? []) }
    }
}
