package import BrokerStore
import ProviderKit

extension AccountContext {
    /// A user's own record and the session of the ID token that asks for it.
    ///
    /// - Throws: ``BrokerError`` in the order of contract §5.3, then ``BrokerError/stepUpRequired(_:)``.
    package func lookUp(_ idToken: String) async throws -> (record: LinkedUser<LinkedIdentity>, session: Session) {
        let now = now
        let claims = try await sessions.verifier.claims(of: idToken, at: now)
        let (facts, user) = try await sessions.verifier.session(behind: claims, at: now) {
            (facts: SessionView<LinkedIdentity>, transaction) in
            (facts, try transaction.withLastRefresh(facts.user))
        }
        try policy.requireStepUp(at: .lookup, facts.session, at: now)
        let record = LinkedUser(
            user: user, identities: facts.identities,
            alias: user.localID.hasSameBytes(as: claims.localID) ? nil : claims.localID)
        return (record, facts.session)
    }
}
