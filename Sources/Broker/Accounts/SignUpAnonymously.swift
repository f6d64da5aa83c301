package import BrokerStore
import Foundation
import OAuth
import ProviderKit

/// Creates a user without any identity; a later link adds one.
package struct SignUpAnonymously: Sendable {
    let settings: LiveProjectSettings
    let store: Store
    let tokens: TokenIssuer
    let now: @Sendable () -> Date

    var isAllowed: Bool { settings.current.allowsAnonymousSignIn && settings.current.allowsSignUp }

    /// Creates a user with a session of Identity Toolkit.
    ///
    /// - Throws: ``BrokerError/anonymousSignInOff``.
    package func callAsFunction(origin: Origin) async throws -> (facts: SessionFacts, tokens: IssuedTokens) {
        let facts = try await self(as: SessionShape(), origin: origin)
        return (facts, try await tokens.issue(facts, at: facts.session.createdAt))
    }

    /// Creates a user with a session of another shape. `completing` writes what belongs to the session, in its
    /// transaction.
    ///
    /// - Throws: ``BrokerError/anonymousSignInOff``, and what `completing` throws.
    func callAsFunction(
        as shape: SessionShape, origin: Origin,
        completing: @escaping @Sendable (SessionFacts, borrowing Transaction) throws -> Void = { _, _ in }
    ) async throws -> SessionFacts {
        try await FlowMetrics.counting(.signUp) {
            guard isAllowed else { throw BrokerError.anonymousSignInOff }
            let now = Timestamp(now())
            let (localID, sessionID) = (LocalID.generate(), RandomText.alphanumeric(22))
            return try await store.write(at: now, by: origin) { transaction in
                let user = User(
                    key: transaction.nextKey(), localID: localID, createdAt: now, lastLoginAt: now, lastRefreshAt: now)
                guard try transaction.insert(user) else { throw InternalError.uniqueKeyTaken("users") }
                let session = Session(
                    sessionID, of: user, provider: "anonymous", as: shape, from: origin.device, in: transaction)
                try transaction.insert(session)
                try transaction.audit("user.created", of: localID, provider: "anonymous")
                try transaction.publish(
                    .signedIn, of: localID, ["provider": "anonymous", "actor": origin.actorKind.rawValue])
                let facts = SessionFacts(session: session, user: user, identities: [])
                try completing(facts, transaction)
                return facts
            }
        }
    }
}
