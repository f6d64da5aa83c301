import BrokerStore
import Crypto
package import Foundation
import Synchronization

/// The master key as a broker has it: the 32 bytes that everything at rest is protected with, during a rotation those
/// of two keys, and the keys that are sealed under them.
///
/// It is stored outside the data folder, so that a copy of the database contains no usable credential. Which of its keys
/// seals is decided by the store (``adopt(_:)``), so that all brokers of a store change at one moment.
package final class MasterKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The purpose of a derived key; the text is part of the derivation and never changes.
    package enum Purpose: String, Sendable, CaseIterable {
        case vault = "vault/v1"
        case refreshTokens = "refresh-token/v1"
        case oauthRefreshTokens = "oauth-refresh-token/v1"
        case pendingTokens = "pending-token/v1"
        case boundPendingTokens = "bound-pending-token/v1"
        case mergeSnapshots = "merge-snapshot/v1"
        case mergeTokens = "merge-token/v1"
        case signInAttempts = "sign-in-attempt/v1"
        case webSessions = "web-session/v1"
        case forms = "hosted-form/v1"
        case deviceAuthorizations = "device-authorization/v1"
        case userCodes = "user-code/v1"
        case requesters = "requester/v1"
        case serviceAccountTokens = "service-account-token/v1"
        case withdrawals = "withdrawal/v1"
        case webhooks = "webhook/v1"
        case providerEntries = "provider-entry/v1"
        case signingKeys = "sealed-signing-key/v1"
        case wrappedKeys = "wrapped-key/v1"
        case auditSeals = "audit-seal/v1"
        case check = "key-check/v1"
        case identifier = "key-id/v1"

        /// The purposes whose values stand outside the store, or are looked up in it by their keyed hash: nothing can seal
        /// them again, so from the first rotation on they have keys of their own, which are sealed under the master key.
        package static let wrapped: [Purpose] = [
            .refreshTokens, .oauthRefreshTokens, .webSessions, .forms, .userCodes, .requesters, .auditSeals,
            .serviceAccountTokens, .boundPendingTokens, .mergeTokens,
        ]

        /// Whether earlier keys verify for good, also those that were compromised, and the newest signs at once.
        var keepsEarlierKeys: Bool { self == .auditSeals }

        /// Whether values are sealed into pages, with a key derived for each. The other purposes of ``wrapped`` sign with one
        /// key, so the one that was derived before the first rotation can be stored as well.
        var isSealedForBrowsers: Bool { self == .forms }
    }

    /// A key of its own for one purpose, unsealed.
    struct OwnKey: Sendable {
        let id: String
        let material: KeyMaterial
        let activatesAt: Timestamp
        let secret: SigningSecret

        init(id: String, material: KeyMaterial, activatesAt: Timestamp) {
            (self.id, self.material, self.activatesAt) = (id, material, activatesAt)
            secret = SigningSecret(id: id, key: material.symmetricKey)
        }
    }

    /// A key that signs, with the id that what it signs may carry.
    struct SigningSecret: Sendable {
        let id: String
        let key: SymmetricKey
        /// Has taken the key, which is half of the work for a short text.
        private let prepared: HMAC<SHA256>

        init(id: String, key: SymmetricKey) {
            (self.id, self.key) = (id, key)
            prepared = HMAC(key: key)
        }

        /// The code of `text`; comparing it takes constant time.
        func code(of text: some DataProtocol) -> HMAC<SHA256>.MAC {
            var code = prepared
            code.update(data: text)
            return code.finalize()
        }
    }

    struct State: Sendable {
        /// The master key that seals.
        var sealing: KeyMaterial
        /// The keys of each purpose that has its own, by their activation.
        var own: [Purpose: [OwnKey]] = [:]
        /// Derived for the purposes that have none yet.
        var derived: [Purpose: SigningSecret] = [:]
        /// Whether text that an earlier master key sealed for a browser still opens.
        var opensEarlierForms = true
        /// The store's record that these keys were read from; nil before the first.
        var adopted: VaultState?

        init(sealing: KeyMaterial) {
            self.sealing = sealing
            for purpose in Purpose.wrapped where !purpose.isSealedForBrowsers {
                derived[purpose] = SigningSecret(id: sealing.identifier, key: sealing.derive(purpose))
            }
        }
    }

    /// The key that the configuration names, to which a rotation leads.
    package let configured: KeyMaterial
    /// The key that the configuration names besides.
    package let previous: KeyMaterial?
    let state: Mutex<State>
    private let clock: @Sendable () -> Date

    /// - Parameters:
    ///   - configured: The master key of the configuration.
    ///   - previous: The one before, during a rotation.
    ///   - now: The clock.
    package init(
        _ configured: KeyMaterial, previous: KeyMaterial? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.configured = configured
        self.previous = previous
        clock = now
        state = Mutex(State(sealing: configured))
    }

    /// A master key of exactly 32 bytes; `nil` for others.
    package convenience init?(bytes: [UInt8]) {
        guard let material = KeyMaterial(bytes: bytes) else { return nil }
        self.init(material)
    }

    /// Every master key this broker has.
    package var keys: [KeyMaterial] { [configured] + (previous.map { [$0] } ?? []) }

    /// The master key that seals.
    package var sealing: KeyMaterial { state.withLock(\.sealing) }

    /// Tells the key that seals from others without telling anything about it.
    package var identifier: String { sealing.identifier }

    /// The signing key for a purpose of ``Purpose/wrapped``.
    func signingSecret(for purpose: Purpose) -> SigningSecret {
        let now = Timestamp(clock())
        return state.withLock { state in
            guard let own = Self.active(state.own[purpose] ?? [], at: now) else {
                return state.derived[purpose]
                    ?? SigningSecret(id: state.sealing.identifier, key: state.sealing.derive(purpose))
            }
            return own.secret
        }
    }

    /// The verification keys for a purpose of ``Purpose/wrapped``, the likeliest first.
    func verificationSecrets(for purpose: Purpose) -> [SigningSecret] {
        let first = signingSecret(for: purpose)
        let others = state.withLock { $0.own[purpose] ?? [] }.filter { $0.id != first.id }
        return [first] + others.reversed().map(\.secret)
    }

    /// Every key of a purpose of ``Purpose/wrapped`` by its generation, oldest first, whether it is active or not.
    func generations(of purpose: Purpose) -> [SigningSecret] {
        let own = state.withLock { $0.own[purpose] ?? [] }
        guard !own.isEmpty else { return [signingSecret(for: purpose)] }
        return own.map(\.secret)
    }

    /// The sealing key.
    func sealingMaterial(for purpose: Purpose) -> KeyMaterial {
        let now = Timestamp(clock())
        return state.withLock { state in
            guard purpose.isSealedForBrowsers, let own = state.own[purpose] else { return state.sealing }
            let active = own.last { $0.activatesAt <= now } ?? (state.opensEarlierForms ? nil : own.last)
            return active?.material ?? state.sealing
        }
    }

    /// The key of a sealed value, by the id in its header; `nil` when this broker does not have it.
    func openingMaterial(for purpose: Purpose, id: some Sequence<UInt8>) -> KeyMaterial? {
        guard purpose.isSealedForBrowsers else { return keys.first { $0.id.elementsEqual(id) } }
        let (own, opensEarlierForms) = state.withLock { ($0.own[purpose] ?? [], $0.opensEarlierForms) }
        return (own.map(\.material) + (opensEarlierForms ? keys : [])).first { $0.id.elementsEqual(id) }
    }

    /// The key of the latest activation that has come; the first of all where a clock is behind.
    private static func active(_ own: [OwnKey], at now: Timestamp) -> OwnKey? {
        own.last { $0.activatesAt <= now } ?? own.first
    }

    package var description: String { "MasterKey(\(identifier))" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
