import BrokerStore

/// A verified identity behind a pending token.
struct ExchangedCredential: Sendable {
    let evidence: Evidence
    let pendingToken: String
    let context: String?
}

extension RedirectContext {
    /// Exchanges a provider's answer for a pending token, with which an app signs in afterwards. Writes no user and no
    /// session.
    ///
    /// - Throws: ``BrokerError`` as for an app's sign-in.
    func exchangeCredential(_ answer: AppSignInAnswer) async throws -> ExchangedCredential {
        let finished = try await finishAppSignIn(answer)
        return ExchangedCredential(
            evidence: finished.credential.evidence,
            pendingToken: try await accounts.pendingTokens.token(for: finished.credential, at: now),
            context: finished.context)
    }
}
