import BrokerStore
import Crypto
import Foundation
import JOSE
import ProviderKit

/// Tokens that stand for evidence a provider has borne out: single use, one hour, nothing usable in the store.
struct PendingTokens: Sendable {
    private let store: Store
    private let sealer: Sealer

    /// How long a pending token may be used.
    static let lifetime = Duration.seconds(3600)

    init(store: Store, masterKey: MasterKey) {
        self.store = store
        sealer = Sealer(masterKey, for: .pendingTokens)
    }

    /// A new token for evidence, and the row that remembers it.
    func make(_ evidence: Evidence, key: Int64, at now: Timestamp) throws -> (token: String, row: PendingToken) {
        let token = Base64URL.encode(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
        let hash = RandomText.hash(of: token)
        let sealed = try sealer.seal(Array(evidence.pendingText.utf8), row: Self.row(hash))
        return (
            token,
            PendingToken(
                key: key, tokenHash: hash, sealedEvidence: sealed, createdAt: now,
                expiresAt: now.advanced(by: Self.lifetime))
        )
    }

    /// The evidence behind a token that was not used yet.
    ///
    /// - Throws: ``BrokerError/invalidPendingToken``.
    func evidence(behind token: String, at now: Timestamp) async throws -> Evidence {
        let hash = RandomText.hash(of: token)
        guard let row = try await store.read({ try $0.pendingToken(hash: hash, at: now) }),
            let opened = try? sealer.open(row.sealedEvidence, row: Self.row(hash)),
            let evidence = Evidence(pendingText: String(decoding: opened, as: UTF8.self))
        else { throw BrokerError.invalidPendingToken }
        return evidence
    }

    private static func row(_ hash: [UInt8]) -> [String] { ["pending_tokens", Base64URL.encode(hash)] }
}
