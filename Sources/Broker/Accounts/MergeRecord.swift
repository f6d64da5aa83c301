import BrokerStore
import ProviderKit

/// Keys and the random id for what becomes of one pair of users, drawn before the transaction.
struct MergeKeys: Sendable {
    let merge: Int64
    let id: String
    /// For the survivor's row and the absorbed user's.
    let audit: (survivor: Int64, absorbed: Int64)
    let decision: (survivor: Int64, absorbed: Int64)

    init(_ keys: KeyGenerator, at now: Timestamp) {
        merge = keys.next(at: now.date)
        id = RandomText.alphanumeric(12)
        audit = (keys.next(at: now.date), keys.next(at: now.date))
        decision = (keys.next(at: now.date), keys.next(at: now.date))
    }
}

/// What is remembered of a merge: an audit row and a decision record with each of the two users, written in the
/// transaction that does what they tell.
struct MergeRecord: Sendable {
    /// What became of it.
    enum Outcome: String, Sendable {
        case pending = "merge-pending"
        case merged
        case dismissed = "merge-dismissed"
    }

    let survivor: User
    let absorbed: User
    /// The identity the provider's word was about.
    let identity: IdentityKey
    let keys: MergeKeys
    let origin: Origin
    let now: Timestamp

    /// - Parameters:
    ///   - outcome: What became of the merge.
    ///   - rule: Why, as decision records call it.
    ///   - transaction: The one that carries it out.
    /// - Throws: A store's error.
    func append(_ outcome: Outcome, rule: String, in transaction: borrowing Transaction) throws(StoreError) {
        let users: JSONObject = ["survivor": .string(survivor.localID), "absorbed": .string(absorbed.localID)]
        for (user, key) in [(survivor, keys.decision.survivor), (absorbed, keys.decision.absorbed)] {
            try transaction.append(
                Decision(
                    key: key, at: now, requestID: origin.requestID, provider: identity.provider,
                    issuer: identity.issuer, subjectHash: identity.subjectHash, localID: user.localID, rule: rule,
                    outcome: outcome.rawValue, evidence: JSONValue.object(users).serialized()))
        }
        var detail = users
        detail["rule"] = .string(rule)
        for (user, key) in [(survivor, keys.audit.survivor), (absorbed, keys.audit.absorbed)] {
            try transaction.append(
                AuditEntry(
                    event(outcome, user), of: user.localID, key: key, at: now, origin, provider: identity.provider,
                    subjectHash: identity.subjectHash, detail: detail))
        }
    }

    private func event(_ outcome: Outcome, _ user: User) -> String {
        switch outcome {
        case .pending: "merge.pending"
        case .dismissed: "merge.dismissed"
        case .merged: user.key == survivor.key ? "user.merged" : "user.absorbed"
        }
    }
}
