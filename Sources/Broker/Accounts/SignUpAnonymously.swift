package import BrokerStore
import ProviderKit

extension AccountContext {
    /// Whether users may sign up anonymously.
    var allowsAnonymousSignUp: Bool { settings.current.allowsAnonymousSignIn && settings.current.allowsSignUp }

    /// Creates a user without any identity, with a session of Identity Toolkit; a later link adds one.
    ///
    /// - Throws: ``BrokerError/anonymousSignInOff``.
    package func signUpAnonymously(origin: Origin) async throws -> (facts: SessionFacts, tokens: IssuedTokens) {
        let facts = try await signUpAnonymously(as: SessionShape(), origin: origin)
        return (facts, try await sessions.tokens.issue(facts, at: facts.session.createdAt))
    }

    /// Creates a user with a session of another shape. `completing` writes what belongs to the session, in its
    /// transaction.
    ///
    /// - Throws: ``BrokerError/anonymousSignInOff``, and what `completing` throws.
    func signUpAnonymously(
        as shape: SessionShape, origin: Origin,
        completing: @escaping @Sendable (SessionFacts, borrowing Transaction) throws -> Void = { _, _ in }
    ) async throws -> SessionFacts {
        let signedUp = try await FlowMetrics.counting(.signUp) {
            guard allowsAnonymousSignUp else { throw BrokerError.anonymousSignInOff }
            let now = now
            let (localID, sessionID) = (LocalID.generate(), Session.newID())
            return try await store.write(at: now, by: origin) { transaction in
                let user = User(
                    key: transaction.nextKey(), localID: localID, createdAt: now, lastLoginAt: now, lastRefreshAt: now)
                guard try transaction.insert(user) else { throw InternalError.uniqueKeyTaken("users") }
                let session = Session(
                    sessionID, of: user, provider: Session.anonymousProvider, as: shape, from: origin.device,
                    in: transaction)
                try transaction.insert(session)
                try transaction.audit("user.created", of: localID, provider: Session.anonymousProvider)
                try transaction.publish(
                    .signedIn, of: localID, ["provider": Session.anonymousProvider, "actor": origin.actorKind.rawValue])
                let facts = SessionFacts(session: session, user: user, identities: [])
                try completing(facts, transaction)
                return facts
            }
        }
        RequestAdmission.noteSignIn(at: Session.anonymousProvider)
        return signedUp
    }
}
