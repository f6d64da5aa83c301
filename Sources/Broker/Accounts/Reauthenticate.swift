package import BrokerStore
import Foundation

/// Says whom a provider's credential proves: whether the person at the other end is the user they say they are.
///
/// Changes nothing and signs nobody in; it leaves an audit row.
package struct Reauthenticate: Sendable {
    let proof: FederatedProof
    let store: Store
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    /// Whom a credential proves.
    package struct Finding: Sendable {
        package let subject: String
        package let displayName: String?
        package let screenName: String?
        package let email: String?
        /// The user who signs in with this identity, if there is one.
        package let owner: UserRecord?
        /// Whether that is the user in question.
        package let matches: Bool
    }

    /// - Throws: ``BrokerError`` when the provider does not bear the credential out, or there is no such user.
    package func callAsFunction(
        _ source: FederatedSource, as localID: String, origin: Origin
    ) async throws -> Finding {
        let date = now()
        let evidence = try await proof(source, at: Timestamp(date)).evidence
        let auditKey = keys.next(at: date)
        return try await store.write { transaction in
            let expected = try transaction.record(of: localID).user
            let owner = try transaction.holders(of: evidence).owner
            let matches = owner?.key == expected.key
            try transaction.append(
                AuditEntry(
                    matches ? "user.reauthenticated" : "user.reauthentication-failed", of: localID, key: auditKey,
                    at: Timestamp(date), origin, provider: evidence.key.provider,
                    subjectHash: evidence.key.subjectHash))
            return Finding(
                subject: evidence.key.subject, displayName: evidence.displayName, screenName: evidence.screenName,
                email: evidence.email?.address.value, owner: try owner.map { try transaction.record(of: $0.localID) },
                matches: matches)
        }
    }
}
