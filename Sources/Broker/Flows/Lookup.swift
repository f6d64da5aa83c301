import BrokerStore
import Foundation

/// A user's own record, for the holder of an ID token.
package struct Lookup: Sendable {
    let verifier: IDTokenVerifier
    let now: @Sendable () -> Date

    /// - Throws: ``BrokerError`` in the order of contract §5.3.
    package func callAsFunction(_ idToken: String) async throws -> UserRecord {
        let facts = try await verifier.session(behind: idToken, at: Timestamp(now()))
        return UserRecord(user: facts.user, identities: facts.identities)
    }
}
