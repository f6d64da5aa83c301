import Foundation
import ProviderKit
import Synchronization

/// Limits what clients can make one provider check: access tokens that it has just refused, and unproven credentials
/// per client network.
///
/// Providers count such checks against the broker's own client. Nothing is guessed from a token's form.
final class CredentialAttempts: Sendable {
    private struct State {
        var refused = RefusedTokens()
        var budget = AttemptBudget()
    }

    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// Lets the provider check a credential, and records a refusal.
    ///
    /// - Parameters:
    ///   - credential: ID tokens are checked here and cost the provider nothing, so they are not limited.
    ///   - client: The network it comes from; `nil` for administrators.
    ///   - check: Asks the provider.
    /// - Returns: What `check` returns.
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``, or what `check` throws.
    func checking<Value>(
        _ credential: Credential, from client: ClientNetwork?, _ check: () async throws -> Value
    ) async throws -> Value {
        guard credential.kind != .idToken else { return try await check() }
        let digest = Self.digest(of: credential)
        try begin(digest, client)
        do {
            let value = try await check()
            if let client { state.withLock { $0.budget.giveBack(client) } }
            return value
        } catch {
            settle(error, digest, client)
            throw error
        }
    }

    private func begin(_ digest: [UInt8]?, _ client: ClientNetwork?) throws {
        let now = now()
        try state.withLock { state in
            if let digest, state.refused.contains(digest, at: now) {
                throw ProviderError(.credential, at: .introspect, "the token was refused less than 5 min ago")
            }
            if let client, let seconds = state.budget.take(client, at: now) {
                throw BrokerError.tooManyAttempts(retryAfter: seconds)
            }
        }
    }

    private func settle(_ error: any Error, _ digest: [UInt8]?, _ client: ClientNetwork?) {
        let now = now()
        state.withLock { state in
            guard let error = error as? ProviderError, error.fault == .credential else {
                // No verdict on the credential.
                if let client { state.budget.giveBack(client) }
                return
            }
            // Later steps judge the account, which may change; this one says that the token is none of ours.
            if error.step == .introspect, let digest { state.refused.insert(digest, at: now) }
        }
    }

    private static func digest(of credential: Credential) -> [UInt8]? {
        guard case .accessToken(let token) = credential.proof else { return nil }
        return RandomText.hash(of: token)
    }
}

/// Digests of access tokens that a provider has refused, for five minutes each.
struct RefusedTokens {
    static let lifetime: TimeInterval = 300
    static let capacity = 4096

    private var refusedAt: [[UInt8]: Date] = [:]
    /// In the order they came, from ``first`` on.
    private var order: [[UInt8]] = []
    private var first = 0

    var count: Int { refusedAt.count }

    func contains(_ digest: [UInt8], at now: Date) -> Bool {
        guard let date = refusedAt[digest] else { return false }
        return (0..<Self.lifetime).contains(now.timeIntervalSince(date))
    }

    /// The oldest gives way where there is no room.
    mutating func insert(_ digest: [UInt8], at now: Date) {
        if refusedAt.updateValue(now, forKey: digest) != nil { return }
        order.append(digest)
        while let oldest = self.oldest, isStale(oldest, at: now) || refusedAt.count > Self.capacity {
            refusedAt[oldest] = nil
            first += 1
        }
        guard first > Self.capacity else { return }
        order.removeFirst(first)
        first = 0
    }

    private var oldest: [UInt8]? { first < order.count ? order[first] : nil }

    private func isStale(_ digest: [UInt8], at now: Date) -> Bool {
        refusedAt[digest].map { !(0..<Self.lifetime).contains(now.timeIntervalSince($0)) } ?? true
    }
}

/// The budget of each client network for unauthenticated work, such as having credentials checked: a token bucket each.
struct AttemptBudget {
    /// The size of a burst.
    static let burst = 60.0
    /// Seconds until one more may be tried.
    static let interval: TimeInterval = 10
    static let capacity = 4096

    private struct Bucket {
        var left: Double
        var updated: Date
    }

    private var buckets: [ClientNetwork: Bucket] = [:]

    var count: Int { buckets.count }

    /// Takes one from the budget of a client.
    ///
    /// - Returns: `nil` when there was one, otherwise the seconds until there is.
    mutating func take(_ client: ClientNetwork, at now: Date) -> Int? {
        if buckets[client] == nil { makeRoom(at: now) }
        var bucket = buckets[client] ?? Bucket(left: Self.burst, updated: now)
        bucket.left = left(in: bucket, at: now)
        bucket.updated = now
        defer { buckets[client] = bucket }
        guard bucket.left >= 1 else { return Int((Self.interval * (1 - bucket.left)).rounded(.up)) }
        bucket.left -= 1
        return nil
    }

    mutating func giveBack(_ client: ClientNetwork) {
        guard let left = buckets[client]?.left else { return }
        buckets[client]?.left = min(left + 1, Self.burst)
    }

    private func left(in bucket: Bucket, at now: Date) -> Double {
        min(Self.burst, bucket.left + max(0, now.timeIntervalSince(bucket.updated)) / Self.interval)
    }

    /// Forgets full buckets, which are as good as none, then the fuller half.
    private mutating func makeRoom(at now: Date) {
        guard buckets.count >= Self.capacity else { return }
        buckets = buckets.filter { left(in: $0.value, at: now) < Self.burst }
        guard buckets.count >= Self.capacity else { return }
        let fullest = buckets.sorted { left(in: $0.value, at: now) > left(in: $1.value, at: now) }
        for (client, _) in fullest.prefix(Self.capacity / 2) { buckets[client] = nil }
    }
}
