import BrokerStore
package import ProviderKit

/// `users.list`: users ordered by their id, one page at a time.
package struct ListUsers: AdminOperation {
    package static let name = "users.list"
    package static let summary = "Lists users, ordered by their id."
    package static let scope: AdminScope? = .readUsers

    /// The localId after which the page begins.
    let after: String?
    /// The maximum number of users, 1 to 1000; 100 when absent.
    let limit: Int?
    /// Whether only anonymous users are listed.
    let anonymous: Bool?

    package struct Answer: Codable, Sendable {
        /// User records (contract §6).
        package let users: [JSONObject]
        /// The localId after which the next page begins; nil on the last page.
        package let next: String?
        /// The number of all such users; nil on the last page.
        package let total: Int?

        package init(users: [JSONObject], next: String?, total: Int?) {
            (self.users, self.next, self.total) = (users, next, total)
        }
    }

    package init(after: String?, limit: Int?, anonymous: Bool? = nil) {
        self.after = after
        self.limit = limit
        self.anonymous = anonymous
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try AdminContext.checked(limit: limit, standard: 100)
        return try await call.admin.store.read { transaction in
            let isFiltered = anonymous ?? false
            // One more than the page has tells whether there is another page.
            let found =
                isFiltered
                ? try transaction.anonymousUsers(after: after, limit: limit + 1)
                : try transaction.users(after: after, limit: limit + 1)
            let page = try found.prefix(limit).map { JSONObject(try transaction.record(of: $0)) }
            let hasMore = found.count > limit
            return Answer(
                users: page, next: hasMore ? found[limit - 1].localID : nil,
                total: !hasMore
                    ? nil : isFiltered ? try transaction.anonymousUserCount() : try transaction.userCount())
        }
    }
}
