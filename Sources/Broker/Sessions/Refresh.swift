package import BrokerStore
import Foundation

/// Exchanges a refresh token for new tokens and its successor.
package struct Refresh: Sendable {
    let tokens: TokenIssuer
    let rotation: SessionRotation
    let store: Store
    let now: @Sendable () -> Date

    /// - Throws: ``BrokerError/invalidRefreshToken`` for a token of no broker on this store, or whose user is gone,
    ///   ``BrokerError/refreshTokenExpired`` when the session has ended, ``BrokerError/userDisabled``.
    package func callAsFunction(
        _ text: String, origin: Origin
    ) async throws -> (facts: SessionFacts, tokens: IssuedTokens) {
        guard let token = tokens.refreshTokens.decode(text) else { throw BrokerError.invalidRefreshToken }
        let now = Timestamp(now())
        var facts = try await rotation(token, at: now, origin: origin)
        if facts.mayHaveNotices {
            facts.notices = try await store.write(at: now) { [facts] in try $0.notices(for: facts) }
        }
        return (facts, try await tokens.issue(facts, at: now))
    }
}
