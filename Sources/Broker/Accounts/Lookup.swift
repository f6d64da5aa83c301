import BrokerStore
import Foundation

/// A user's own record, for the holder of an ID token.
package struct Lookup: Sendable {
    let verifier: IDTokenVerifier
    let now: @Sendable () -> Date

    /// - Throws: ``BrokerError`` in the order of contract §5.3.
    package func callAsFunction(_ idToken: String) async throws -> UserRecord {
        let claims = try await verifier.claims(of: idToken, at: Timestamp(now()))
        return try await verifier.store.read { transaction in
            let facts = try transaction.liveSession(behind: claims)
            var user = facts.user
            // A refresh writes its session alone, so the user's latest is the latest of theirs.
            user.lastRefreshAt = [user.lastRefreshAt, try transaction.lastRefresh(of: user.key)].compactMap(\.self)
                .max()
            return UserRecord(user: user, identities: facts.identities)
        }
    }
}
