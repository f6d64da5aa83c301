import BrokerStore

extension Transaction {
    /// The notices for the app in the answer with a session's tokens. Each is in one answer of the session and, since the
    /// answer may be lost, in its repetition with the same refresh token.
    func notices<Linked>(for facts: SessionView<Linked>) throws(StoreError) -> [AccountNotice] {
        try deliverNotices(
            in: facts.session, at: now, repeatedSince: now.advanced(by: .zero - SessionRules.grace))
    }

    /// A session as it was read, with the notices for the app in the answer with its tokens.
    func withNotices<Linked>(_ facts: SessionView<Linked>) throws(StoreError) -> SessionView<Linked> {
        // The app of a browser's session is the broker's own pages, which migrate nothing.
        guard facts.mayHaveNotices, facts.session.family != .web else { return facts }
        var facts = facts
        facts.notices = try notices(for: facts)
        return facts
    }
}
