package import BrokerStore
import Foundation
import OAuth
import ProviderKit

/// Signs in the user that a trusted service account names (contract §2.3), and creates the user if there is none.
package struct SignInWithCustomToken: Sendable {
    let verifier: CustomTokenVerifier
    let store: Store
    let tokens: TokenIssuer
    let rules: SessionRules
    let now: @Sendable () -> Date

    private static let provider = CustomTokenVerifier.signInProvider

    package struct Outcome: Sendable {
        package let facts: SessionFacts
        package let tokens: IssuedTokens
        package let isNewUser: Bool
    }

    /// - Throws: ``BrokerError`` in the contract's order.
    package func callAsFunction(_ token: String, origin: Origin) async throws -> Outcome {
        try await FlowMetrics.counting(.customToken, outcome: { $0.isNewUser ? "new_user" : FlowMetrics.success }) {
            try await signIn(token, origin)
        }
    }

    private func signIn(_ token: String, _ origin: Origin) async throws -> Outcome {
        let now = Timestamp(now())
        let claims = try await verifier.claims(of: token, at: now)
        try RequestAdmission.current?.prove(customTokenOf: claims.localID)
        let sessionID = RandomText.alphanumeric(22)
        let (facts, isNew) = try await store.write(at: now, by: origin) { transaction in
            let known = try transaction.user(localID: claims.localID)
            if known?.isDisabled == true { throw BrokerError.userDisabled }
            if known == nil, try transaction.user(absorbing: claims.localID) != nil {
                // A login at the developer's server proves nothing about the user who remained.
                throw BrokerError.invalidCustomToken(
                    "The user of this uid was merged into another one. Sign tokens for that one.")
            }
            let user = try known ?? create(claims.localID, in: transaction)
            var session = Session(
                sessionID, of: user, provider: Self.provider,
                as: SessionShape(authenticationMethods: claims.authenticationMethods), from: origin.device,
                in: transaction)
            session.claims = claims.developerClaims?.serialized()
            try transaction.begin(session, rules)
            try transaction.recordCustomAuth(userKey: user.key)
            try transaction.recordSignIn(userKey: user.key, at: now)
            try transaction.audit(
                known == nil ? "user.created" : "user.signed-in", of: user.localID, provider: Self.provider)
            if known == nil {
                try transaction.publish(
                    .signedIn, of: user.localID, ["provider": Self.provider, "actor": origin.actorKind.rawValue])
            }
            let identities = try transaction.identities(of: user.key)
            return (SessionFacts(session: session, user: user, identities: identities), known == nil)
        }
        return Outcome(facts: facts, tokens: try await tokens.issue(facts, at: now), isNewUser: isNew)
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
