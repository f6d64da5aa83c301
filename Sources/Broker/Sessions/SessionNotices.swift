import BrokerStore

extension Transaction {
    /// The notices for the app in the answer with a session's tokens. Each is in one answer and, since the answer may be
    /// lost, in its repetition with the same refresh token.
    func notices(for facts: SessionFacts) throws(StoreError) -> [AccountNotice] {
        try deliverNotices(
            in: facts.session, at: now, repeatedSince: now.advanced(by: .zero - SessionRules.grace))
    }
}
