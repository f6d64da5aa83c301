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

    package struct Answer: Codable, Sendable {
        /// User records (contract §6).
        package let users: [JSONObject]
    }

    package init(after: String?, limit: Int) {
        self.after = after
        self.limit = limit
    }

    package func run(in context: AdminContext) async throws -> Answer {
        let limit = try AdminFlows.checked(limit: limit, standard: 100)
        let records = try await context.flows.store.read { transaction in
            try transaction.users(after: after, limit: limit).map { try transaction.record(of: $0) }
        }
        return Answer(users: records.map { JSONObject($0) })
    }
}
