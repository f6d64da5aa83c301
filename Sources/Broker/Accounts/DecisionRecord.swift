import BrokerStore
import ProviderKit

/// The record of a decision of ``AccountResolver``, which `broker explain` shows, with its audit entry: written in the
/// transaction that carries the decision out.
struct DecisionRecord: Sendable {
    let evidence: Evidence
    /// The rule that led to the decision.
    let rule: AccountRule
    let origin: Origin

    /// Records a sign-in; `released` is the user who lost the address to the new one.
    func signedIn(
        _ localID: String, isNewUser: Bool, released: User? = nil, in transaction: borrowing Transaction
    ) throws {
        var detail = JSONObject([("rule", .string(rule.rawValue))])
        detail["addressTakenFrom"] = released.map { .string($0.localID) }
        try append("signed-in", isNewUser ? "user.created" : "user.signed-in", of: localID, detail, in: transaction)
        if isNewUser { try publish(.signedIn, of: localID, in: transaction) }
    }

    /// Publishes an event that no audit entry of its own stands for.
    func publish(
        _ kind: UserEvent.Kind, of localID: String, in transaction: borrowing Transaction
    ) throws(StoreError) {
        try transaction.publish(
            kind, of: localID, ["provider": evidence.key.provider, "actor": origin.actorKind.rawValue])
    }

    func linked(to localID: String, in transaction: borrowing Transaction) throws {
        try append("linked", "identity.linked", of: localID, ["rule": .string(rule.rawValue)], in: transaction)
    }

    func needConfirmation(by holder: User, in transaction: borrowing Transaction) throws {
        try append(
            "need-confirmation", "sign-in.need-confirmation", of: holder.localID, ["rule": .string(rule.rawValue)],
            in: transaction)
    }

    /// Records a refusal, which has no audit entry: nothing was changed.
    func refused(_ error: BrokerError, about user: User?, in transaction: borrowing Transaction) throws {
        // The code is stable; the text is not.
        try transaction.append(
            decision(Decision.refused + error.code.rawValue, about: user?.localID, in: transaction))
    }

    /// Writes the decision with its audit entry.
    private func append(
        _ outcome: String, _ event: String, of localID: String, _ detail: JSONObject,
        in transaction: borrowing Transaction
    ) throws(StoreError) {
        var decision = decision(outcome, about: localID, in: transaction)
        decision.isAudited = true
        try transaction.append(decision)
        try transaction.audit(
            event, of: localID, provider: evidence.key.provider, subjectHash: decision.subjectHash,
            detail: AuditDetail(detail), after: decision)
    }

    private func decision(
        _ outcome: String, about localID: String?, in transaction: borrowing Transaction
    ) -> Decision {
        // No address, no profile, no token.
        let summary: JSONValue = [
            "hasEmail": .bool(evidence.email != nil), "emailVerified": .bool(evidence.email?.isVerified ?? false),
        ]
        return Decision(
            key: transaction.nextKey(), at: transaction.now, requestID: origin.requestID,
            provider: evidence.key.provider, issuer: evidence.key.issuer, subjectHash: evidence.key.subjectHash,
            localID: localID, rule: rule.rawValue, outcome: outcome, evidence: summary.serialized())
    }
}
