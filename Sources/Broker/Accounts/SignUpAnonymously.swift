package import BrokerStore
import Foundation
import ProviderKit

/// Makes a user nobody vouches for, to be upgraded by a link later.
package struct SignUpAnonymously: Sendable {
    let isAllowed: Bool
    let store: Store
    let tokens: TokenIssuer
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    /// - Throws: ``BrokerError/anonymousSignInOff``.
    package func callAsFunction(origin: Origin) async throws -> (facts: SessionFacts, tokens: IssuedTokens) {
        guard isAllowed else { throw BrokerError.anonymousSignInOff }
        let fresh = Fresh(keys, at: now())
        let user = User(anonymous: fresh)
        let session = fresh.session(of: user, provider: "anonymous", from: origin.device)
        try await store.write { transaction in
            guard try transaction.insert(user) else { throw StoreError(.busy, "the random localId is taken") }
            try transaction.insert(session)
            try transaction.append(
                AuditEntry(
                    key: fresh.auditKey, at: fresh.now, actorKind: origin.actorKind, actor: origin.actor,
                    event: "user.created", localID: user.localID, provider: "anonymous", subjectHash: nil,
                    requestID: origin.requestID, detail: "{}"))
        }
        let facts = SessionFacts(session: session, user: user, identities: [])
        return (facts, try await tokens.issue(facts, at: fresh.now))
    }
}
