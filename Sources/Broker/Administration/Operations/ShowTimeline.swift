package import BrokerStore
import ProviderKit

/// `users.timeline`: what happened to a user, in sentences, and why each identity belongs to the user.
package struct ShowTimeline: AdminOperation {
    private static let limits = DeclaredLimit("The maximum number of entries, 1 to 500.", in: 1...500, standard: 50)

    package static let declaration = OperationDeclaration(
        "users.timeline",
        "Returns what happened to a user in sentences, newest first, and why each identity belongs to it.",
        .readAudit, .reads,
        [
            .user,
            .option("kind", "Only entries of this kind: `decision`, `failure` or `change`.", example: "failure"),
            limits.argument,
            .option("after", "The `next` of the page before; the newest entries when absent."),
        ],
        command: DeclaredCommand(
            "timeline", "Show what happened to a user, in sentences.",
            """
            Shows the decisions about a user, what was done to it, and the sign-ins that were refused, newest first, each
            with the rule of the account policy that applied; above them, why each identity belongs to the user. When there
            are more than --limit, the last line shows the option for the next page.

            Examples:
              broker users timeline ann@example.com
              broker users timeline ann@example.com --kind failure
              broker users timeline kX3… --limit 200 --json
            """))

    let user: String
    let kind: Kind?
    let limit: Int?
    let after: String?

    package init(user: String, kind: Kind? = nil, limit: Int? = nil, after: String? = nil) {
        self.user = user
        self.kind = kind
        self.limit = limit
        self.after = after
    }

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "user": "The user's localId.",
            "identities": "Why each identity belongs to the user, the earliest first; on the first page only.",
            "entries": "What happened, newest first.",
            "next":
                "The `after` of the next page; absent on the last one. A page of one kind may be empty before that.",
        ]

        package let user: String
        package let identities: [IdentityReason]?
        package let entries: [Entry]
        package let next: String?
    }

    /// Why an identity belongs to the user.
    package struct IdentityReason: DescribedObject {
        package static let texts: [String: MemberText] = [
            "provider": "The id of the provider entry.",
            "providerName": "The name of the provider.",
            "name": "The user's name there: a screen name, a name, or an address.",
            "linkedAt": "When it was linked.",
            "sentence": "Why it belongs to the user.",
            "rule": "The rule of the account policy that applied.",
            "ruleText": "The rule in a sentence.",
            "requestId": "The id of the request.",
        ]

        package let provider: String
        package let providerName: String
        package let name: String?
        package let linkedAt: Timestamp
        package let sentence: String
        package let rule: String?
        package let ruleText: String?
        package let requestId: String?
    }

    /// What an entry is about.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A decision of the account policy.
        case decision
        /// What was refused, or was no right of the one who asked.
        case failure
        /// Anything else that was done.
        case change
    }

    /// Something that happened.
    package struct Entry: DescribedObject {
        package static let texts: [String: MemberText] = [
            "at": "When it happened.",
            "event": "The event of the audit, or `sign-in.refused`.",
            "kind": "`decision`, `failure` or `change`.",
            "sentence": "What happened.",
            "rule": "The rule of the account policy that applied.",
            "ruleText": "The rule in a sentence.",
            "provider": "The provider entry it is about.",
            "device": "The program and the system of the client.",
            "address": "The network of the client's address.",
            "actorKind": "`user`, `client`, `admin` or `system`.",
            "actor": "Who did it, as in the audit.",
            "reason": "The reason it was done, in the administrator's words.",
            "requestId": "The id of the request.",
        ]

        package let at: Timestamp
        package let event: String
        package let kind: Kind
        package let sentence: String
        package let rule: String?
        package let ruleText: String?
        package let provider: String?
        package let device: String?
        package let address: String?
        package let actorKind: String
        package let actor: String?
        package let reason: String?
        package let requestId: String?
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try Self.limits.checked(limit)
        let survivor = try await call.admin.survivor(of: user)
        let record = try await call.admin.user(named: survivor ?? user)
        let key = KeyGenerator.key(before: after)
        let isFirst = after == nil
        let facts = try await call.admin.store.read { transaction in
            try TimelineFacts(
                of: record, kind, before: key, limit: limit, withIdentities: isFirst, in: transaction)
        }
        let names = TimelineNames(
            providers: call.admin.providers.current, identities: record.identities,
            clients: try await call.admin.openID.clients.names(), administrators: facts.administrators)
        return Answer(
            user: record.user.localID, identities: isFirst ? facts.origins.map { names.reason($0, facts) } : nil,
            entries: facts.rows.map { names.entry($0, facts) }, next: facts.next)
    }

    package func rowCount(of answer: Answer) -> Int? { answer.entries.count }

    package func text(of answer: Answer) -> TerminalText {
        var parts: [TerminalText] = []
        if let identities = answer.identities, !identities.isEmpty {
            let lines: [TerminalText] = identities.map { identity in
                let name: TerminalText = identity.name.map { " \($0)" } ?? ""
                return "  \(identity.providerName)\(name): \(identity.sentence)\(Self.suffix(identity.rule))"
            }
            parts.append("User \(answer.user)\n\(lines.joined(separator: "\n"))")
        }
        parts += answer.entries.map { entry in
            let facts = [entry.device, entry.address, entry.reason.map { "reason: \($0)" }, entry.requestId]
            let detail = facts.compactMap(\.self).joined(separator: " · ")
            let line: TerminalText = "\(entry.at.text)  \(entry.sentence)\(Self.suffix(entry.rule))"
            return detail.isEmpty ? line : "\(line)\n  \(detail)"
        }
        if answer.entries.isEmpty, answer.next == nil { parts.append("Nothing is recorded about this user.") }
        if let next = answer.next { parts.append("There are more: add --after \(next)") }
        return parts.joined(separator: "\n\n")
    }

    private static func suffix(_ rule: String?) -> TerminalText { rule.map { " · rule \($0)" } ?? "" }
}
