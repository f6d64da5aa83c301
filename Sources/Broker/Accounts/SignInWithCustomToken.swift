package import BrokerStore
import Foundation
import ProviderKit

/// Signs in whom a trusted service account names (contract §2.3), making the user when there is none.
package struct SignInWithCustomToken: Sendable {
    let verifier: CustomTokenVerifier
    let store: Store
    let tokens: TokenIssuer
    let keys: KeyGenerator
    let rules: SessionRules
    let now: @Sendable () -> Date

    package struct Outcome: Sendable {
        package let facts: SessionFacts
        package let tokens: IssuedTokens
        package let isNewUser: Bool
    }

    /// - Throws: ``BrokerError`` in the contract's order.
    package func callAsFunction(_ token: String, origin: Origin) async throws -> Outcome {
        let fresh = Fresh(keys, at: now())
        let claims = try verifier.claims(of: token, at: fresh.now)
        let (facts, isNew) = try await store.write { transaction in
            let known = try transaction.user(localID: claims.localID)
            if known?.isDisabled == true { throw BrokerError.userDisabled }
            let user = try known ?? create(claims.localID, fresh, in: transaction)
            var session = fresh.session(of: user, provider: "custom", from: origin.device)
            session.claims = claims.developerClaims?.serialized()
            try transaction.begin(session, rules)
            try transaction.recordCustomAuth(userKey: user.key)
            try transaction.recordSignIn(userKey: user.key, at: fresh.now)
            try transaction.append(
                AuditEntry(
                    key: fresh.auditKey, at: fresh.now, actorKind: origin.actorKind, actor: origin.actor,
                    event: known == nil ? "user.created" : "user.signed-in", localID: user.localID, provider: "custom",
                    requestID: origin.requestID))
            let identities = try transaction.identities(of: user.key)
            return (SessionFacts(session: session, user: user, identities: identities), known == nil)
        }
        return Outcome(facts: facts, tokens: try await tokens.issue(facts, at: fresh.now), isNewUser: isNew)
    }

    private func create(_ localID: String, _ fresh: Fresh, in transaction: borrowing Transaction) throws -> User {
        let user = User(
            key: fresh.userKey, localID: localID, isCustomAuth: true, createdAt: fresh.now, lastLoginAt: fresh.now,
            lastRefreshAt: fresh.now)
        guard try transaction.insert(user) else {
            throw StoreError(.busy, "another sign-in wrote the same user; this one starts again")
        }
        return user
    }
}
