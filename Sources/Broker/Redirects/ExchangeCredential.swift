import BrokerStore
import Foundation

/// Turns what a provider answered into a pending token, for apps that sign in with it afterwards: nobody is signed in,
/// and no user is written.
package struct ExchangeCredential: Sendable {
    let finish: FinishAppSignIn
    let pendingTokens: PendingTokens
    let now: @Sendable () -> Date

    /// A proven identity in waiting.
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
