extension Transaction {
    /// The pending token with this hash, unless it was used or has expired.
    package func pendingToken(hash: [UInt8], at now: Timestamp) throws(StoreError) -> PendingToken? {
        try usable(PendingToken.self, hash: hash, at: now)
    }

    /// Consumes a pending token.
    ///
    /// - Returns: false if it was consumed before or has expired.
    package func consumePendingToken(hash: [UInt8], at now: Timestamp) throws(StoreError) -> Bool {
        try consume(PendingToken.self, hash: hash, at: now) != nil
    }
}
