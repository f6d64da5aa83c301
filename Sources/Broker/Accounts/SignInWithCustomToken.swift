package import BrokerStore
import ProviderKit

/// A session that a custom token began.
package struct CustomTokenSignIn: Sendable {
    package let facts: SessionFacts
    package let tokens: IssuedTokens
    package let isNewUser: Bool
}

extension AccountContext {
    /// Signs in the user that a trusted service account names (contract §2.3), and creates the user if there is none.
    ///
    /// - Throws: ``BrokerError`` in the contract's order.
    package func signIn(customToken token: String, origin: Origin) async throws -> CustomTokenSignIn {
        let (facts, isNewUser) = try await signIn(customToken: token, as: SessionShape(), origin: origin)
        return CustomTokenSignIn(
            facts: facts, tokens: try await sessions.tokens.issue(facts, at: facts.session.createdAt),
            isNewUser: isNewUser)
    }

    /// The same with a session of another shape; `onlyUser` is the localId of the only user who may sign in. `completing`
    /// writes what belongs to the session, in its transaction.
    ///
    /// - Throws: ``BrokerError`` in the contract's order, ``BrokerError/userMismatch`` after them.
    func signIn(
        customToken token: String, as shape: SessionShape, onlyUser: String? = nil, origin: Origin,
        completing: @escaping @Sendable (SessionFacts, borrowing Transaction) throws -> Void = { _, _ in }
    ) async throws -> (facts: SessionFacts, isNewUser: Bool) {
        let signedIn = try await FlowMetrics.counting(
            .customToken, outcome: { $0.isNewUser ? "new_user" : FlowMetrics.success }
        ) {
            let claims = try await sessions.customTokens.claims(of: token, at: now)
            try RequestAdmission.current?.prove(customTokenOf: claims.localID)
            guard onlyUser.map(claims.localID.hasSameBytes) ?? true else { throw BrokerError.userMismatch }
            return try await signIn(claims, shape, origin, completing)
        }
        RequestAdmission.noteSignIn(at: CustomTokenVerifier.signInProvider)
        return signedIn
    }

    private func signIn(
        _ claims: CustomTokenVerifier.Claims, _ shape: SessionShape, _ origin: Origin,
        _ completing: @escaping @Sendable (SessionFacts, borrowing Transaction) throws -> Void
    ) async throws -> (facts: SessionFacts, isNewUser: Bool) {
        let (now, sessionID) = (now, Session.newID())
        var shape = shape
        shape.authenticationMethods = claims.authenticationMethods
        return try await store.write(at: now, by: origin) { [self, shape] transaction in
            let known = try transaction.user(localID: claims.localID)
            if known?.isDisabled == true { throw BrokerError.userDisabled }
            if known == nil, try transaction.user(absorbing: claims.localID) != nil {
                // A login at the developer's server proves nothing about the user who remained.
                throw BrokerError.invalidCustomToken(
                    "The user of this uid was merged into another one. Sign tokens for that one.")
            }
            let user = try known ?? create(claims.localID, in: transaction)
            var session = Session(
                sessionID, of: user, provider: CustomTokenVerifier.signInProvider, as: shape, from: origin.device,
                in: transaction)
            session.claims = claims.developerClaims?.serialized()
            try transaction.begin(session, sessions.rules)
            try transaction.recordCustomAuth(userKey: user.key)
            try transaction.recordSignIn(userKey: user.key, at: now)
            try transaction.audit(
                known == nil ? "user.created" : "user.signed-in", of: user.localID,
                provider: CustomTokenVerifier.signInProvider)
            if known == nil {
                try transaction.publish(
                    .signedIn, of: user.localID,
                    ["provider": CustomTokenVerifier.signInProvider, "actor": origin.actorKind.rawValue])
            }
            let identities = try transaction.identities(of: user.key)
            let facts = SessionFacts(session: session, user: user, identities: identities)
            try completing(facts, transaction)
            return (facts, known == nil)
        }
    }

    private func create(_ localID: String, in transaction: borrowing Transaction) throws -> User {
        let now = transaction.now
        let user = User(
            key: transaction.nextKey(), localID: localID, isCustomAuth: true, createdAt: now, lastLoginAt: now,
            lastRefreshAt: now)
        guard try transaction.insert(user) else {
            throw InternalError.uniqueKeyTaken("users")
        }
        return user
    }
}
