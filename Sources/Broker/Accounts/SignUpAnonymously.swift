package import BrokerStore
import Foundation
import ProviderKit

/// Creates a user without any identity; a later link adds one.
package struct SignUpAnonymously: Sendable {
    let settings: LiveProjectSettings
    let store: Store
    let tokens: TokenIssuer
    let now: @Sendable () -> Date

    var isAllowed: Bool { settings.current.allowsAnonymousSignIn && settings.current.allowsSignUp }

    /// - Throws: ``BrokerError/anonymousSignInOff``.
    package func callAsFunction(origin: Origin) async throws -> (facts: SessionFacts, tokens: IssuedTokens) {
        try await FlowMetrics.counting(.signUp) { try await signUp(origin) }
    }

    private func signUp(_ origin: Origin) async throws -> (facts: SessionFacts, tokens: IssuedTokens) {
        guard isAllowed else { throw BrokerError.anonymousSignInOff }
        let now = Timestamp(now())
        let (localID, sessionID) = (LocalID.generate(), RandomText.alphanumeric(22))
        let facts = try await store.write(at: now, by: origin) { transaction in
            let user = User(
                key: transaction.nextKey(), localID: localID, createdAt: now, lastLoginAt: now, lastRefreshAt: now)
            guard try transaction.insert(user) else { throw InternalError.uniqueKeyTaken("users") }
            let session = Session(
                sessionID, of: user, provider: "anonymous", from: origin.device, in: transaction)
            try transaction.insert(session)
            try transaction.audit("user.created", of: localID, provider: "anonymous")
            try transaction.publish(
                .signedIn, of: localID, ["provider": "anonymous", "actor": origin.actorKind.rawValue])
            return SessionFacts(session: session, user: user, identities: [])
        }
        return (facts, try await tokens.issue(facts, at: now))
    }
}
