import BrokerStore
import Foundation

/// Exchanges a provider's answer for a pending token, with which an app signs in afterwards. Writes no user and no
/// session.
package struct ExchangeCredential: Sendable {
    let finish: FinishAppSignIn
    let pendingTokens: PendingTokens
    let now: @Sendable () -> Date

    /// A verified identity behind a pending token.
    struct Exchanged: Sendable {
        let evidence: Evidence
        let pendingToken: String
        let context: String?
    }

    /// - Throws: ``BrokerError`` as ``FinishAppSignIn`` does.
    func callAsFunction(_ answer: FinishAppSignIn.Answer) async throws -> Exchanged {
        let finished = try await finish(answer)
        return Exchanged(
            evidence: finished.credential.evidence,
            pendingToken: try await pendingTokens.token(for: finished.credential, at: Timestamp(now())),
            context: finished.context)
    }
}
