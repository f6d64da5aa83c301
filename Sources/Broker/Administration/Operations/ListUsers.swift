import BrokerStore
package import ProviderKit

/// `users.list`: users ordered by their id, one page at a time.
package struct ListUsers: AdminOperation {
    private static let limits = DeclaredLimit(
        "The maximum number of users, 1 to 1000 (default: 100).", standard: 100)

    package static let declaration = OperationDeclaration(
        "users.list", "Lists users, ordered by their id.", .readUsers, .reads,
        [
            limits.argument,
            .option("anonymous", "List only anonymous users, which are devices without a known user."),
            .option("after", "Start after this localId, the last one of the previous page."),
        ], heading: "List users")

    let after: String?
    let limit: Int?
    let anonymous: Bool?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "users": .users("User records."),
            "next": "The localId after which the next page begins; absent on the last page.",
            "total": "The number of all such users; absent on the last page.",
        ]

        package let users: [JSONObject]
        package let next: String?
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
        let limit = try Self.limits.checked(limit)
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
