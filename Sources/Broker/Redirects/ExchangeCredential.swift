import BrokerStore
import Foundation

/// Turns what a provider answered into a pending token, for apps that sign in with it afterwards: nobody is signed in,
/// and no user is written.
package struct ExchangeCredential: Sendable {
    let finish: FinishAppSignIn
    let pendingTokens: PendingTokens
    let store: Store
    let keys: KeyGenerator
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
        let date = now()
        let (token, row) = try pendingTokens.make(
            finished.proven, key: keys.next(at: date), at: Timestamp(date))
        try await store.write { try $0.insert(row) }
        return Exchanged(evidence: finished.proven.evidence, pendingToken: token, context: finished.context)
    }
}
