import Foundation
import OAuth
import ProviderKit
import Synchronization

/// Keeps access tokens that a provider has just refused from being asked about again.
///
/// Providers count such checks against the broker's own client. Nothing is guessed from a token's form.
final class CredentialAttempts: Sendable {
    private let now: @Sendable () -> Date
    private let refused = Mutex(RefusedTokens())

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// Lets the provider check a credential, and records a refusal.
    ///
    /// - Parameters:
    ///   - credential: The credential. Only access tokens can be sent again.
    ///   - check: Asks the provider.
    /// - Returns: What `check` returns.
    /// - Throws: What `check` throws; the same for a token that was refused less than five minutes ago.
    func checking<Value>(_ credential: Credential, _ check: () async throws -> Value) async throws -> Value {
        guard case .accessToken(let token) = credential.proof else { return try await check() }
        let digest = RandomText.hash(of: token)
        let began = now()
        guard !refused.withLock({ $0.contains(digest, at: began) }) else {
            throw ProviderError(.credential, at: .introspect, "the token was refused less than 5 min ago")
        }
        do {
            return try await check()
        } catch let error as ProviderError where error.fault == .credential && error.step == .introspect {
            // Later steps judge the account, which may change; this one says that the token is none of ours.
            let now = now()
            refused.withLock { $0.insert(digest, at: now) }
            throw error
        }
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
