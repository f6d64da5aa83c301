import BrokerStore
package import ProviderKit

/// `users.export`: a page of users with everything that `users.import` reads back.
package struct ExportUserPage: AdminOperation {
    private static let limits = DeclaredLimit(
        "The maximum number of users, 1 to \(UserPage.maximumSize).", in: 1...UserPage.maximumSize,
        standard: UserPage.maximumSize)

    package static let declaration = OperationDeclaration(
        "users.export", "Exports users in the order of their ids, one page at a time.", .readUsers, .reads,
        isStreamed: true,
        [
            .option("after", "The localId after which the page begins."),
            limits.argument,
        ], heading: "Export users")

    let after: String?
    let limit: Int?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "users":
                "User records with what Identity Toolkit does not have below `broker`, as `users.import` reads them.",
            "next": "The localId after which the next page begins; absent in the last one.",
        ]

        package let users: [JSONObject]
        package let next: String?
    }

    /// The size in bytes of the providers' profiles from which on a page has no more users, so that an answer over HTTP
    /// has a bounded size.
    private static let profileLimit = 4 << 20

    package init(after: String?, limit: Int) {
        self.after = after
        self.limit = limit
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try Self.limits.checked(limit)
        let page = try await call.admin.accounts.userPage(after: after, limit: limit, includesAliases: true)
        var users: [JSONObject] = []
        var profiles = 0
        for record in page.records where profiles < Self.profileLimit {
            users.append(JSONObject(exporting: record, from: page))
            profiles += record.identities.reduce(0) { $0 + $1.profile.utf8.count }
        }
        let isLast = users.count == page.users.count && page.users.count < limit
        return Answer(users: users, next: isLast ? nil : users.last?["localId"]?.string)
    }
}

extension JSONObject {
    /// The record that ``UserRecordReader`` reads back.
    fileprivate init(exporting record: UserRecord, from page: UserPage) {
        self.init(record)
        let user = record.user
        var own = JSONObject([("version", 1)])
        own["emailAssertedBy"] = user.emailAssertedBy.map(JSONValue.string)
        own["emailAssertedAt"] = user.emailAssertedAt.map(\.document)
        let aliases = page.userAliases[user.key] ?? []
        if !aliases.isEmpty { own["aliases"] = .array(aliases.map(JSONValue.string)) }
        self["broker"] = .object(own)
        let entries = self["providerUserInfo"]?.array ?? []
        guard !entries.isEmpty else { return }
        self["providerUserInfo"] = .array(
            zip(entries, record.identities).map { entry, identity in
                var entry = entry.object ?? JSONObject()
                entry["broker"] = .object(
                    JSONObject(exporting: identity, aliases: page.subjectAliases[identity.key] ?? []))
                return .object(entry)
            })
    }

    private init(exporting identity: Identity, aliases: [IdentityKey]) {
        self.init([
            ("issuer", .string(identity.issuer)), ("emailVerified", .bool(identity.isEmailVerified)),
            ("linkedAt", identity.linkedAt.document), ("lastSignInAt", identity.lastSignInAt.document),
        ])
        if identity.profile != "{}" { self["profile"] = .string(identity.profile) }
        if identity.isAnonymous { self["anonymous"] = true }
        if identity.wasAnonymous { self["wasAnonymous"] = true }
        if identity.isMailDisabled { self["mailDisabled"] = true }
        self["consentRevokedAt"] = identity.consentRevokedAt.map(\.document)
        self["removalAt"] = identity.removalAt.map(\.document)
        guard !aliases.isEmpty else { return }
        self["aliases"] = .array(
            aliases.map { ["issuer": .string($0.issuer), "subject": .string($0.subject)] })
    }
}

extension Timestamp {
    /// Milliseconds since 1970 as Identity Toolkit writes them: a string.
    fileprivate var document: JSONValue { .string(String(milliseconds)) }
}
