import BrokerStore
import ProviderKit

/// The names that the sentences of a timeline use, and the sentences. What users and providers wrote is text in them.
struct TimelineNames: Sendable {
    let providers: ProviderDirectory
    /// Those of the user.
    let identities: [Identity]
    /// The names of OAuth clients by their id.
    let clients: [String: String]
    /// The names of admin credentials by their actor.
    let administrators: [String: String]

    func entry(_ row: HistoryRow, _ facts: TimelineFacts) -> ShowTimeline.Entry {
        switch row {
        case .audit(let entry):
            let rule = entry.rule
            return .init(
                at: entry.at, event: entry.event, kind: row.kind,
                sentence: sentence(of: entry, proof: facts.proofs[entry.key]), rule: rule,
                ruleText: rule.flatMap(AccountRule.init)?.sentence, provider: entry.provider,
                device: facts.devices[entry.at], address: entry.address, actorKind: entry.actorKind.rawValue,
                actor: entry.actor, reason: entry.reason, requestId: entry.requestID)
        case .refusal(let decision):
            let rule = AccountRule(rawValue: decision.rule)
            let cause = rule.flatMap { $0.refuses ? ", because \($0.cause)" : nil } ?? ""
            return .init(
                at: decision.at, event: HistoryEntry.refused, kind: row.kind,
                sentence:
                    "A sign-in or link with \(name(of: decision.provider)) was refused (\(decision.refusal))\(cause).",
                rule: decision.rule, ruleText: rule?.sentence, provider: decision.provider, device: nil, address: nil,
                actorKind: AuditEntry.ActorKind.client.rawValue, actor: nil, reason: nil, requestId: decision.requestID)
        }
    }

    /// Why an identity belongs to the user.
    func reason(_ origin: TimelineFacts.IdentityOrigin, _ facts: TimelineFacts) -> ShowTimeline.IdentityReason {
        let identity = origin.identity
        let source = origin.merge ?? origin.entry
        return .init(
            provider: identity.provider, providerName: name(of: identity.provider), name: label(of: identity),
            linkedAt: identity.linkedAt, sentence: sentence(of: origin, facts), rule: source?.rule,
            ruleText: source?.rule.flatMap(AccountRule.init)?.sentence, requestId: source?.requestID)
    }

    private func sentence(of origin: TimelineFacts.IdentityOrigin, _ facts: TimelineFacts) -> String {
        if let merge = origin.merge {
            return "Came with the user \(merge.details["absorbed"]?.string ?? "?")\(because(merge))."
        }
        switch origin.entry {
        case let entry? where entry.event == "user.created": return "Created the user\(because(entry))."
        case let entry? where entry.event == "user.signed-in" && entry.joins:
            return "Joined the user\(because(entry))."
        case let entry? where entry.event == "identity.linked":
            return "Added\(reason(ofLink: entry, facts.proofs[entry.key]))."
        default:
            return origin.identity.importedAt == nil
                ? "Its records are older than those that are kept." : "Came with an import."
        }
    }

    // The parts of sentences.

    func name(of provider: String) -> String { providers.displayName(of: provider) }

    private func label(of identity: Identity) -> String? {
        [identity.screenName, identity.displayName, identity.email].compactMap(\.self).first { !$0.isEmpty }
    }

    /// `GitHub's ada`, or `an identity of GitHub` that the user has no more.
    func subject(_ entry: AuditEntry) -> String {
        guard let provider = entry.provider else { return "an identity" }
        let identity = identities.first { known in
            known.provider.hasSameBytes(as: provider)
                && entry.subjectHash.map(known.identity.subjectHash.hasSameBytes) == true
        }
        guard let label = identity.flatMap(label) else { return "an identity of \(name(of: provider))" }
        return "\(name(of: provider))'s \(label)"
    }

    /// Who did it, for the middle of a sentence.
    func actor(of entry: AuditEntry) -> String {
        switch entry.actorKind {
        case .user: "the user"
        case .admin: "the administrator \(entry.actor.map { administrators[$0] ?? $0 } ?? "of the host")"
        case .client: client(entry.actor?.replacing("client:", with: "")).map { "the app \($0)" } ?? "an app"
        case .system: "the broker"
        }
    }

    /// A client's name, or its id when it was removed.
    func client(_ id: String?) -> String? { id.map { clients[$0] ?? $0 } }

    /// The cause of the rule that applied.
    func because(_ entry: AuditEntry) -> String {
        entry.rule.flatMap(AccountRule.init).map { ", because \($0.cause)" } ?? ""
    }

    /// Why a link was made: what the user had proven before.
    func reason(ofLink entry: AuditEntry, _ proof: AuditEntry?) -> String {
        guard entry.rule == AccountRule.linkFreeIdentity.rawValue else { return because(entry) }
        guard entry.actorKind != .admin else { return " by \(actor(of: entry))" }
        guard let proof, let provider = proof.provider, provider != Session.anonymousProvider else {
            return because(entry)
        }
        let proven =
            provider == CustomTokenVerifier.signInProvider
            ? "signed in with a custom token" : "proved \(name(of: provider))"
        return " because the user had \(proven) \(Self.text(ofSecondsSince: proof.at, until: entry.at)) before"
    }

    private static func text(ofSecondsSince start: Timestamp, until end: Timestamp) -> String {
        let seconds = max(end.seconds - start.seconds, 0)
        let (count, unit): (Int64, String) =
            switch seconds {
            case ..<120: (max(seconds, 1), "second")
            case ..<7200: (seconds / 60, "minute")
            case ..<172_800: (seconds / 3600, "hour")
            default: (seconds / 86_400, "day")
            }
        return count == 1 ? "a \(unit)" : "\(count) \(unit)s"
    }
}

extension AuditEntry {
    /// The rule of the account policy that applied.
    var rule: String? { details["rule"]?.string }

    /// Whether the entry's sign-in added the identity to a user.
    var joins: Bool {
        [.joinVerifiedUser, .joinUnverifiedUser].contains(rule.flatMap(AccountRule.init))
    }
}
