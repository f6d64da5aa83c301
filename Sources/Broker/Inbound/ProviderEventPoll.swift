import BrokerStore
package import Foundation
import Logging
import OAuth
import ProviderKit

/// Requests the event feeds of providers, for messages that did not arrive. One broker at a time requests a feed.
///
/// The position is stored after the events of its page: a broker that dies between the two has them again, and their
/// records keep them from having an effect twice.
package struct ProviderEventPoll: Sendable {
    private let accounts: AccountContext
    private let clock: @Sendable () -> Date
    private let holder = RandomText.alphanumeric(22)
    /// The feeds that failed are not requested before this time.
    private var pauses: [String: Date] = [:]

    /// How often a running server looks for feeds that are due. No plugin's interval is shorter.
    package static let interval = Duration.seconds(10)
    /// A page takes less.
    private static let leaseDuration = Duration.seconds(120)
    /// The time for one page.
    private static let deadline = Duration.seconds(30)
    /// The pages of one turn; the next turn continues.
    private static let pages = 50
    /// Seconds without a request after a failure.
    private static let pause: TimeInterval = 60

    /// - Parameters:
    ///   - accounts: The accounts that the events are about.
    ///   - clock: The clock, where it is another than that of the store.
    package init(_ accounts: AccountContext, clock: (@Sendable () -> Date)? = nil) {
        self.accounts = accounts
        self.clock = clock ?? accounts.clock
    }

    /// Requests every feed that is due, each apart from the others. A failure is logged and pauses its feed.
    package mutating func turn() async {
        let (poll, now) = (self, clock())
        let results = await withTaskGroup(of: (String, Bool)?.self) { group in
            for provider in accounts.providers.current.providers {
                guard let feed = provider.provider as? any ProviderEventFeed, let interval = feed.eventPollInterval,
                    pauses[provider.id].map({ $0 <= now }) ?? true
                else { continue }
                group.addTask { await poll.request(feed, provider, every: interval).map { (provider.id, $0) } }
            }
            return await group.reduce(into: [(String, Bool)]()) { results, result in
                if let result { results.append(result) }
            }
        }
        for (provider, isDone) in results {
            pauses[provider] = isDone ? nil : clock().addingTimeInterval(Self.pause)
        }
    }

    /// - Returns: Whether the feed was requested without a failure; nil when another broker has taken it over.
    private func request(
        _ feed: any ProviderEventFeed, _ provider: ConfiguredProvider, every interval: Int
    ) async -> Bool? {
        do {
            if case .lost = try await turn(of: feed, provider, every: interval) { return nil }
            return true
        } catch {
            Logger.current.error(
                "event feed failed; it is requested again later",
                metadata: ["provider": "\(provider.id)", "reason": "\(error)"])
            return false
        }
    }

    private func turn(
        of feed: any ProviderEventFeed, _ provider: ConfiguredProvider, every interval: Int
    ) async throws -> LeaseOutcome<Void> {
        let lease = Lease(name: "events:\(provider.id)", holder: holder, duration: Self.leaseDuration)
        let leased = LeasedWork(lease, in: accounts.store, now: clock)
        // A cursor belongs to one client.
        let name = "\(provider.id) \(feed.clientID)"
        return try await leased.withLease { transaction, lease -> FeedPosition?? in
            let due = transaction.now.advanced(by: .seconds(-interval))
            let position = try transaction.feedPosition(of: name)
            guard position.map({ $0.polledAt <= due }) ?? true, try transaction.acquire(lease, at: transaction.now)
            else { return .none }
            return .some(position)
        } _: { position in
            var cursor = position?.cursor
            for _ in 0..<Self.pages where !Task.isCancelled {
                let page = try await provider.calls.run(within: Self.deadline) { [cursor] in
                    try await feed.events(after: cursor)
                }
                for event in page.events { try await accounts.receive(event, from: provider) }
                if page.unreadable > 0 {
                    Logger.current.warning(
                        "event feed has unreadable entries",
                        metadata: ["provider": "\(provider.id)", "entries": .stringConvertible(page.unreadable)])
                }
                let isLast = !page.hasMore || page.cursor == cursor
                try await leased.write { transaction in
                    try transaction.setFeedCursor(page.cursor, of: name, at: transaction.now)
                    if isLast { try transaction.release(lease, at: transaction.now) }
                }
                guard !isLast else { return }
                cursor = page.cursor
            }
        }
    }
}
