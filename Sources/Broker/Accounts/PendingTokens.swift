import BrokerStore
import Crypto
import Foundation
import JOSE
import ProviderKit

/// Pending tokens (contract §3.6): single-use tokens that stand for verified evidence, for one hour from the provider's
/// proof. The store holds nothing usable.
struct PendingTokens: Sendable {
    private let store: Store
    private let sealer: Sealer

    /// How long a pending token may be used, from the provider's proof. What is redeemed from one carries no other.
    static let lifetime = Duration.seconds(3600)

    init(store: Store, masterKey: MasterKey) {
        self.store = store
        sealer = Sealer(masterKey, for: .pendingTokens)
    }

    /// Makes a token for evidence that was proven at `now`, and the row that remembers it.
    ///
    /// - Parameters:
    ///   - proven: The evidence, with the time of its login.
    ///   - binding: What it was issued with, for evidence that began a session.
    ///   - key: The row's key.
    ///   - now: The moment.
    /// - Returns: The token and its row.
    /// - Throws: What sealing throws.
    func make(
        _ proven: ProvenSource, boundTo binding: PendingToken.Binding? = nil, key: Int64, at now: Timestamp
    ) throws -> (token: String, row: PendingToken) {
        let token = Base64URL.encode(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
        let hash = RandomText.hash(of: token)
        let sealed = try sealer.seal(Array(proven.evidence.pendingText.utf8), row: Self.row(hash))
        return (
            token,
            PendingToken(
                key: key, tokenHash: hash, sealedEvidence: sealed, createdAt: now,
                expiresAt: now.advanced(by: Self.lifetime),
                authTime: min(proven.authTime ?? now.seconds, now.seconds), binding: binding)
        )
    }

    /// Reads the evidence behind a token that was not used yet. Whether what it is bound to still stands is for the
    /// transaction to say that consumes it.
    ///
    /// - Returns: The evidence, and when its user proved who they are, whole seconds since 1970.
    /// - Throws: ``BrokerError/invalidPendingToken``.
    func evidence(behind token: String, at now: Timestamp) async throws -> (evidence: Evidence, authTime: Int64) {
        let hash = RandomText.hash(of: token)
        guard let row = try await store.read({ try $0.pendingToken(hash: hash, at: now) }),
            let opened = try? sealer.open(row.sealedEvidence, row: Self.row(hash)),
            let evidence = Evidence(pendingText: String(decoding: opened, as: UTF8.self))
        else { throw BrokerError.invalidPendingToken }
        return (evidence, row.authTime)
    }

    /// Verifies in the transaction that decides that a pending token is still valid, and for which user.
    ///
    /// - Returns: The only user who may come of it; `nil` for any.
    /// - Throws: ``BrokerError/invalidPendingToken`` for a token that was used or has expired, or whose session, epoch,
    ///   identity or user is gone.
    static func user(of token: String, at now: Timestamp, in transaction: borrowing Transaction) throws -> User? {
        guard let row = try transaction.pendingToken(hash: RandomText.hash(of: token), at: now) else {
            throw BrokerError.invalidPendingToken
        }
        guard let binding = row.binding else { return nil }
        guard let user = try transaction.user(key: binding.userKey), user.epoch == binding.epoch,
            let session = try transaction.session(id: binding.sessionID), session.revokedAt == nil,
            try transaction.identities(of: user.key).contains(where: { $0.key == binding.identityKey })
        else { throw BrokerError.invalidPendingToken }
        return user
    }

    private static func row(_ hash: [UInt8]) -> [String] { ["pending_tokens", Base64URL.encode(hash)] }
}
