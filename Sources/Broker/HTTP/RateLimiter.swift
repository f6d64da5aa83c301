import BrokerStore
import Crypto
package import Foundation
import ProviderKit

/// One limit of requests or failures.
enum RateLimit: Int, Sendable, CaseIterable {
    case unprovenRequests, unprovenRequestsPerSite, preflights, failures, requestsPerAPIKey, requestsPerUser,
        requestsPerCredential, refreshes
    case failuresPerUserCode, identifierQueries
    /// Introductions of one device in an hour.
    case deviceIntroductions
    /// Refusals of one client at one address that are recorded.
    case recordedRefusals
    /// The same of a /48 of IPv6, and of all clients that have no address.
    case recordedRefusalsPerSite
    /// Requests of clients that their proxy does not know. None is refused: its one count in an hour tells `doctor`.
    case unknownClients

    /// In the store, and for operators.
    var name: String { Self.names[rawValue] }
    private static let names = allCases.map { "\($0)" }

    init?(name: String) {
        guard let index = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: index)
    }

    fileprivate var window: Duration {
        switch self {
        case .deviceIntroductions, .unknownClients: .seconds(3600)
        default: .seconds(60)
        }
    }

    /// The number of keys in memory at most, of 56 bytes each.
    fileprivate var capacity: Int {
        switch self {
        case .unprovenRequests, .failures, .requestsPerUser, .refreshes: 16_384
        case .requestsPerAPIKey, .identifierQueries, .deviceIntroductions, .recordedRefusals, .recordedRefusalsPerSite,
            .preflights,
            .unprovenRequestsPerSite:
            4096
        case .requestsPerCredential, .failuresPerUserCode: 1024
        case .unknownClients: 128
        }
    }

    fileprivate func count(in limits: RateLimits) -> Int? {
        switch self {
        case .unprovenRequests, .preflights: limits.unprovenRequests
        case .unprovenRequestsPerSite: limits.unprovenRequestsPerSite
        case .failures: limits.failures
        case .requestsPerAPIKey: limits.requestsPerAPIKey
        case .requestsPerUser: limits.requestsPerUser
        case .requestsPerCredential: limits.requestsPerCredential
        case .refreshes: limits.refreshes
        case .failuresPerUserCode: limits.failuresPerUserCode
        case .identifierQueries: limits.identifierQueries
        case .deviceIntroductions: 10
        case .recordedRefusals: 10
        case .recordedRefusalsPerSite: 100
        case .unknownClients: 1
        }
    }
}

/// The subject of a rate limit.
enum RateSubject: Sendable {
    case address(ClientNetwork)
    /// A /48 of IPv6.
    case site([UInt8])
    case apiKey(String, ClientNetwork)
    case user(String)
    case session(String)
    /// A client secret, an admin credential or a service account, by a name that no other kind has.
    case credential(String)
    case userCode(String)
    case identifier(String, ClientNetwork?)
    case device([UInt8])
    /// All clients that their proxies do not know.
    case unknownClients
    /// A custom token for a user.
    case customToken(String, ClientNetwork?)
    /// Refusals of an OAuth client; of none where it is empty.
    case refusals(client: String, ClientNetwork)

    /// Whether it says nothing about a caller whose address is hidden.
    var hasAddress: Bool {
        switch self {
        case .address, .site, .apiKey, .identifier, .customToken, .refusals: true
        case .user, .session, .credential, .userCode, .device, .unknownClients: false
        }
    }

    /// Begins with what it is for and a tag, and every part before the last has its length.
    fileprivate var bytes: [UInt8] {
        switch self {
        case .address(let network): Self.bytes(1, network.bytes)
        case .apiKey(let key, let network): Self.bytes(2, network, key)
        case .user(let id): Self.bytes(3, id.utf8Bytes)
        case .session(let id): Self.bytes(4, id.utf8Bytes)
        case .credential(let id): Self.bytes(5, id.utf8Bytes)
        case .userCode(let code): Self.bytes(6, code.utf8Bytes)
        case .identifier(let email, let network): Self.bytes(7, network, email)
        case .device(let hash): Self.bytes(8, hash)
        case .site(let prefix): Self.bytes(9, prefix)
        case .unknownClients: Self.bytes(10, [])
        case .customToken(let user, let network): Self.bytes(11, network, user)
        case .refusals(let client, let network): Self.bytes(12, network, client)
        }
    }

    private static func bytes(_ tag: UInt8, _ network: ClientNetwork?, _ name: String) -> [UInt8] {
        let network = network?.bytes ?? []
        return bytes(tag, [UInt8(network.count)] + network + name.utf8Bytes)
    }

    /// What the hash is for, before the tag.
    private static let purpose = Array("rate".utf8)

    private static func bytes(_ tag: UInt8, _ name: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        bytes.append(contentsOf: purpose)
        bytes.append(tag)
        bytes.append(contentsOf: name)
        return bytes
    }
}

/// The counts of all limits in this process (Docs/Decisions/0037-rate-limits.md).
///
/// A look-up hashes the key and locks one shard of one table; the store is asked by ``RateLimitExchange`` only.
package final class RateLimiter: Sendable {
    private let limits: RateLimits
    private let counters: [RateCounters]
    /// Those that this broker's requests have shown.
    let endedTokens = EndedTokens()
    private let metrics = LimitMetrics(limits: RateLimit.allCases.map(\.name))
    private let code: @Sendable (_ subject: [UInt8]) -> HMAC<SHA256>.MAC
    private let now: @Sendable () -> Date
    /// Whether all clients seem to come from this machine, because a proxy in front of the broker is not configured.
    private let hidesClients: Bool

    /// The brokers of a store tell each other counts of at least this part of a limit.
    private static let sharedPart = 10

    /// - Parameters:
    ///   - configuration: Has the limits.
    ///   - code: Makes the hashes in the store, with a key that is the same in every broker.
    ///   - now: The clock.
    init(
        _ configuration: Configuration, code: @escaping @Sendable (_ subject: [UInt8]) -> HMAC<SHA256>.MAC,
        now: @escaping @Sendable () -> Date
    ) {
        limits = configuration.rateLimits
        hidesClients = configuration.hidesClients
        counters = RateLimit.allCases.map { RateCounters(window: $0.window, capacity: $0.capacity) }
        self.code = code
        self.now = now
    }

    /// Whether requests of a network are counted by it.
    func counts(_ network: ClientNetwork) -> Bool { !(hidesClients && network.isLoopback) }

    /// The key of a subject, for one request.
    func key(_ subject: RateSubject) -> RateKey {
        code(subject.bytes).withUnsafeBytes { code in
            RateKey(
                high: UInt64(bigEndian: code.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: code.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }

    /// Counts an event.
    ///
    /// - Returns: Nil when it is within the limit; otherwise it was not counted, and this is the number of seconds until
    ///   the next one is.
    func take(_ limit: RateLimit, _ key: RateKey) -> Int? {
        guard let count = limit.count(in: limits) else { return nil }
        return counters(of: limit).take(key, limit: count, at: Timestamp(now()).milliseconds)
    }

    /// The same without counting.
    func isFull(_ limit: RateLimit, _ key: RateKey) -> Int? {
        guard let count = limit.count(in: limits) else { return nil }
        return counters(of: limit).isFull(key, limit: count, at: Timestamp(now()).milliseconds)
    }

    /// Counts a refused request.
    func refused(_ limit: RateLimit) { metrics.refused(limit.rawValue) }

    /// Counts a request of a client that its proxy does not know, which has no limit by address.
    func noteUnknownClient() {
        metrics.cameFromUnknownClient()
        _ = take(.unknownClients, key(.unknownClients))
    }

    private func counters(of limit: RateLimit) -> RateCounters { counters[limit.rawValue] }

    // What is exchanged with other brokers.

    /// The counts that other brokers have not been told of, at most `limit`, until ``markSent(_:)``.
    func unsent(limit maximum: Int) -> [(count: RateCount, expiresAt: Timestamp)] {
        let now = Timestamp(now())
        var result: [(share: Double, count: RateCount, expiresAt: Timestamp)] = []
        for limit in RateLimit.allCases {
            guard let count = limit.count(in: limits) else { continue }
            // Most keys have a single event, which is of no use to others.
            let minimum = max(count / Self.sharedPart, min(count, 2))
            for unsent in counters(of: limit).unsent(atLeast: minimum, at: now.milliseconds) {
                let start = Timestamp(milliseconds: unsent.windowStart)
                result.append(
                    (
                        Double(unsent.count) / Double(count),
                        RateCount(
                            name: limit.name, keyHash: unsent.key.bytes, windowStart: start, count: unsent.count),
                        start.advanced(by: limit.window * 2)
                    ))
            }
        }
        return result.sorted { $0.share > $1.share }.prefix(maximum).map { ($0.count, $0.expiresAt) }
    }

    /// Notes that the other brokers can read these counts.
    func markSent(_ counts: [RateCount]) { each(counts) { $0.markSent($1) } }

    /// Takes the counts of the other brokers.
    func adopt(_ counts: [RateCount]) {
        let now = Timestamp(now()).milliseconds
        each(counts) { $0.adopt($1, at: now) }
    }

    private func each(_ counts: [RateCount], _ body: (RateCounters, RateCounters.Count) -> Void) {
        for count in counts {
            guard let limit = RateLimit(name: count.name), let key = RateKey(count.keyHash) else { continue }
            let start = count.windowStart.milliseconds
            body(counters(of: limit), RateCounters.Count(key: key, windowStart: start, count: count.count))
        }
    }
}
