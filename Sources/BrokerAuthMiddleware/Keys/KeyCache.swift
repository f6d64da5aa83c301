import Foundation
import JOSE
import Logging
import OAuth

/// The keys of one kind of token: fetched when they are first needed, and again when they are old or a token names an
/// unknown one. Keys stay usable while the broker is out of reach, up to a bound.
struct KeyCache: Sendable {
    let source: KeySource
    private let options: BrokerTokens.Options
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let document: RemoteDocument<FetchedKeys, any Error>

    /// Seconds between two fetches while there are no usable keys.
    private static let retryInterval = 5.0
    /// Seconds after which keys whose document may not be kept are fetched again.
    private static let minimumLifetime = 60.0

    init(
        _ source: KeySource, _ options: BrokerTokens.Options, _ logger: Logger, now: @escaping @Sendable () -> Date
    ) {
        self.source = source
        self.options = options
        self.logger = logger
        self.now = now
        document = RemoteDocument(
            .init(
                cooldown: options.refetchInterval.seconds, retryInterval: Self.retryInterval,
                longestUse: options.maximumOutage.seconds), now: now)
    }

    /// The keys, fetched if they are due, and fetched again unless they have what a token needs.
    ///
    /// - Throws: ``BrokerAuthRefusal/unavailable(retryAfter:)``.
    func keys(
        where isComplete: (IssuerKeys) -> Bool = { _ in true }
    ) async throws(BrokerAuthRefusal) -> IssuerKeys {
        switch await document.answer(where: { isComplete($0.keys) }, fetch) {
        case .current(let fetched), .stale(let fetched, _): return fetched.keys
        case .absent(_, let seconds): throw .unavailable(retryAfter: seconds)
        }
    }

    private func fetch(_ previous: FetchedKeys?) async throws -> (FetchedKeys, lifetime: TimeInterval) {
        do {
            let fetched = try await FetchedKeys(
                from: source, BrokerConnection(timeout: options.requestTimeout), previous: previous)
            return (
                fetched, min(max(Double(fetched.lifetime), Self.minimumLifetime), options.maximumKeyLifetime.seconds)
            )
        } catch {
            logger.warning(
                "fetch of the broker's keys failed; keeping the previous ones",
                metadata: ["url": "\(source.discoveryURL)", "error": "\(error)"])
            throw error
        }
    }
}

extension Duration {
    /// The whole and the fractional seconds.
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
