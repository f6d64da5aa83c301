package import BrokerStore
import ProviderKit

/// Reads and deletes many users for an administrator (contract §7).
extension AccountContext {
    /// The number of users deleted in one transaction.
    private static let deletionSize = 50

    /// Users in the order of their local ids.
    ///
    /// - Parameters:
    ///   - localID: The last one of the previous page.
    ///   - limit: The maximum number of users.
    ///   - includesAliases: Whether aliases of users and identities are read.
    /// - Returns: The page; it is the last one if it has fewer users than `limit`.
    /// - Throws: A store's error.
    package func userPage(after localID: String?, limit: Int, includesAliases: Bool = false) async throws -> UserPage {
        let limit = min(limit, UserPage.maximumSize)
        return try await store.read { transaction in
            try transaction.userPage(after: localID, limit: limit, includesAliases: includesAliases)
        }
    }

    /// Users in another order; `offset` users before them are left out.
    ///
    /// - Throws: A store's error.
    func users(in order: UserOrder, offset: Int, limit: Int) async throws -> [UserRecord] {
        try await store.read { transaction in
            try transaction.users(in: order, offset: offset, limit: limit).map {
                try transaction.record(of: transaction.withLastRefresh($0))
            }
        }
    }

    /// The number of users.
    ///
    /// - Throws: A store's error.
    func userCount() async throws -> Int {
        try await store.read { transaction in try transaction.userCount() }
    }

    /// Deletes users. An unknown id is no failure.
    ///
    /// - Parameters:
    ///   - localIDs: The users; of one who was merged into another what is left is deleted.
    ///   - includesEnabled: Whether users who are not disabled are deleted.
    ///   - origin: The administrator.
    /// - Returns: The positions of users who are not disabled and stay therefore.
    /// - Throws: A store's error. The transactions before it have been committed.
    func deleteUsers(_ localIDs: [String], includesEnabled: Bool, origin: Origin) async throws -> [Int] {
        var refused: [Int] = []
        for start in stride(from: 0, to: localIDs.count, by: Self.deletionSize) {
            let part = Array(localIDs[start..<min(start + Self.deletionSize, localIDs.count)])
            let order = outbox.withdrawals.order(.delete)
            refused += try await write(by: origin) { transaction in
                try part.indices.filter { index in
                    // Both engines refuse such a text, which is no user's id.
                    guard LocalID.isUsable(part[index]) else { return false }
                    let user = try transaction.user(localID: part[index])
                    if let user, !user.isDisabled, !includesEnabled { return true }
                    _ = try transaction.delete(localID: part[index], withdrawing: order, by: origin)
                    return false
                }.map { start + $0 }
            }
        }
        return refused
    }
}

extension UserPage {
    /// The maximum number of users of a page.
    package static let maximumSize = 1000

    /// The users with their identities.
    package var records: [UserRecord] {
        users.map { UserRecord(user: $0, identities: identities[$0.key] ?? []) }
    }
}
