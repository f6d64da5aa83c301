import BrokerStore
import ProviderKit

/// The record of a merge: a decision record and an audit entry for each of the two users, written in the transaction that
/// does what they record.
struct MergeRecord: Sendable {
    /// The decision about the merge.
    enum Outcome: String, Sendable {
        case pending = "merge-pending"
        case merged
        case dismissed = "merge-dismissed"
        case undone = "merge-undone"
    }

    let survivor: User
    let absorbed: User
    /// The identity that the provider reports as merged.
    let identity: IdentityKey
    let origin: Origin

    /// - Parameters:
    ///   - outcome: What was decided.
    ///   - rule: The rule's name in decision records.
    ///   - more: What else the audit entries say.
    ///   - transaction: The one that carries it out.
    /// - Throws: A store's error.
    func append(
        _ outcome: Outcome, rule: AccountRule, _ more: JSONObject = JSONObject(), in transaction: borrowing Transaction
    ) throws(StoreError) {
        let users: JSONObject = ["survivor": .string(survivor.localID), "absorbed": .string(absorbed.localID)]
        var detail = users
        for (name, value) in more { detail[name] = value }
        detail["rule"] = .string(rule.rawValue)
        for user in [survivor, absorbed] {
            try transaction.append(
                Decision(
                    key: transaction.nextKey(), at: transaction.now, requestID: origin.requestID,
                    provider: identity.provider, issuer: identity.issuer, subjectHash: identity.subjectHash,
                    localID: user.localID, rule: rule.rawValue, outcome: outcome.rawValue,
                    evidence: JSONValue.object(users).serialized()))
            try transaction.audit(
                event(outcome, user), of: user.localID, provider: identity.provider,
                subjectHash: identity.subjectHash, detail: detail)
        }
        try publish(outcome, in: transaction)
    }

    private func publish(_ outcome: Outcome, in transaction: borrowing Transaction) throws(StoreError) {
        let (stays, goes) = (["survivorLocalId": survivor.localID], absorbed.localID)
        switch outcome {
        case .merged:
            try transaction.publish(.merged, of: survivor.localID, data(["absorbedLocalId": goes]))
            try transaction.publish(.absorbed, of: goes, data(stays))
        case .undone:
            try transaction.publish(.unmerged, of: survivor.localID, data(["restoredLocalId": goes]))
            try transaction.publish(.restored, of: goes, data(stays))
        case .pending, .dismissed: break
        }
    }

    private func data(_ other: [String: String]) -> [String: String] {
        other.merging(["provider": identity.provider, "actor": origin.actorKind.rawValue]) { first, _ in first }
    }

    private func event(_ outcome: Outcome, _ user: User) -> String {
        switch outcome {
        case .pending: "merge.pending"
        case .dismissed: "merge.dismissed"
        case .merged: user.key == survivor.key ? "user.merged" : "user.absorbed"
        case .undone: user.key == survivor.key ? "merge.undone" : "user.restored"
        }
    }
}
