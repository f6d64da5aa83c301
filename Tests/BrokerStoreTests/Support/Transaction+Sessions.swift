import BrokerStore

extension Transaction {
    /// A user's sessions, dead or alive, oldest first.
    func sessions(of userKey: Int64) throws(StoreError) -> [Session] {
        let filter = SessionFilter(
            userKey: userKey, includesEnded: true, idleSince: .noon, createdSince: .noon)
        return try sessions(filter, limit: 10_000).reversed()
    }
}
