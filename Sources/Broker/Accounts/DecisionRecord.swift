import BrokerStore
import ProviderKit

/// The record of a decision of ``AccountResolver``, which `broker explain` shows, with its audit entry: written in the
/// transaction that carries the decision out.
struct DecisionRecord: Sendable {
    let evidence: Evidence
    /// The rule that led to the decision.
    let rule: String
    let origin: Origin

    /// Records a sign-in; `released` is the user who lost the address to the new one.
    func signedIn(
        _ localID: String, isNewUser: Bool, released: User? = nil, in transaction: borrowing Transaction
    ) throws {
        var detail = JSONObject([("rule", .string(rule))])
        detail["addressTakenFrom"] = released.map { .string($0.localID) }
        try append("signed-in", about: localID, in: transaction)
        try audit(isNewUser ? "user.created" : "user.signed-in", of: localID, detail, in: transaction)
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
        try append("linked", about: localID, in: transaction)
        try audit("identity.linked", of: localID, ["rule": .string(rule)], in: transaction)
    }

    func needConfirmation(by holder: User, in transaction: borrowing Transaction) throws {
        try append("need-confirmation", about: holder.localID, in: transaction)
        try audit("sign-in.need-confirmation", of: holder.localID, ["rule": .string(rule)], in: transaction)
    }

    /// Records a refusal, which has no audit entry: nothing was changed.
    func refused(_ error: BrokerError, about user: User?, in transaction: borrowing Transaction) throws {
        // The code is stable; the text is not.
        try append(Decision.refused + error.code.rawValue, about: user?.localID, in: transaction)
    }

    private func append(
        _ outcome: String, about localID: String?, in transaction: borrowing Transaction
    ) throws(StoreError) {
        // No address, no profile, no token.
        let summary: JSONValue = [
            "hasEmail": .bool(evidence.email != nil), "emailVerified": .bool(evidence.email?.isVerified ?? false),
        ]
        try transaction.append(
            Decision(
                key: transaction.nextKey(), at: transaction.now, requestID: origin.requestID,
                provider: evidence.key.provider, issuer: evidence.key.issuer, subjectHash: evidence.key.subjectHash,
                localID: localID, rule: rule, outcome: outcome, evidence: summary.serialized()))
    }

    private func audit(
        _ event: String, of localID: String, _ detail: JSONObject, in transaction: borrowing Transaction
    ) throws(StoreError) {
        try transaction.audit(
            event, of: localID, provider: evidence.key.provider, subjectHash: evidence.key.subjectHash, detail: detail)
    }
}
