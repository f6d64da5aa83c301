import BrokerStore
import Foundation
import OAuth

/// Exchanges the counts of the rate limits with the other brokers of the store.
struct RateLimitExchange: Sendable {
    let limiter: RateLimiter
    let store: Store
    let now: @Sendable () -> Date
    /// Distinguishes the brokers.
    private let holder = RandomText.alphanumeric(22)

    /// The counts that one turn writes and reads at most.
    private static let most = 1000

    init(_ limiter: RateLimiter, store: Store, now: @escaping @Sendable () -> Date) {
        self.limiter = limiter
        self.store = store
        self.now = now
    }

    /// Writes the counts of this broker that others need, and reads theirs.
    ///
    /// - Throws: A store's error. The limits hold in this process meanwhile, and the next turn writes what this one could
    ///   not.
    func turn() async throws {
        let (now, unsent, holder) = (Timestamp(now()), limiter.unsent(limit: Self.most), holder)
        if !unsent.isEmpty {
            try await store.write(at: now) { transaction in
                for (count, expiresAt) in unsent { try transaction.put(count, of: holder, expiresAt: expiresAt) }
                try transaction.removeRateCounts(expiredBy: now)
            }
            limiter.markSent(unsent.map(\.count))
        }
        limiter.adopt(
            try await store.read { try $0.rateCounts(ofOthersThan: holder, at: now, limit: Self.most * 10) })
    }
}
