import BrokerStore

extension Transaction {
    /// A user's sessions, dead or alive, oldest first.
    func sessions(of userKey: Int64) throws(StoreError) -> [Session] {
        let moment = Timestamp(milliseconds: 0)
        let filter = SessionFilter(
            userKey: userKey, includesEnded: true, idleSince: moment, createdSince: moment)
        return try sessions(filter, limit: 10_000).reversed()
    }
}
