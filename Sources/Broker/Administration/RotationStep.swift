import BrokerStore
import ProviderKit

/// The transaction that begins a rotation of the master key: from its commit on the configured key seals.
struct RotationStep: Sendable {
    /// The id of the key before; nil when the store had changed already.
    var former: String?
    /// When a key was declared compromised whose sessions have to end in this rotation; nil otherwise.
    var compromisedAt: Timestamp?

    /// The values that the transaction writes, drawn before it, since it may run again.
    struct Plan: Sendable {
        let masterKey: MasterKey
        let isCompromised: Bool
        /// A random key for each purpose that has its own.
        private let drawn = MasterKey.Purpose.wrapped.map { (purpose: $0, material: KeyMaterial.random()) }

        init(masterKey: MasterKey, isCompromised: Bool) {
            self.masterKey = masterKey
            self.isCompromised = isCompromised
        }

        /// - Throws: ``MasterKeyRotation/Refusal``, or a store's error.
        func begin(in transaction: borrowing Transaction) throws -> RotationStep {
            guard let vault = try transaction.vaultState() else { return RotationStep() }
            let target = masterKey.configured
            guard let former = masterKey.keys.first(where: { $0.checkValue == vault.checkValue }) else {
                throw masterKey.refusal(vault)
            }
            var step = RotationStep()
            var ended = vault.history.filter { $0.endedAt != nil }
                .max { ($0.endedAt ?? transaction.now) < ($1.endedAt ?? transaction.now) }
            var replaces = false
            if former.id != target.id {
                ended = try change(from: former, to: target, vault, in: transaction)
                step.former = former.identifier
                replaces = isCompromised
            } else if isCompromised {
                guard var row = ended else { throw MasterKeyRotation.Refusal.noNewKey(keyID: target.identifier) }
                if row.compromisedAt == nil {
                    row.compromisedAt = transaction.now
                    try transaction.put(row)
                    replaces = true
                }
                ended = row
            } else if masterKey.previous == nil, vault.unfinished.isEmpty {
                throw MasterKeyRotation.Refusal.noNewKey(keyID: target.identifier)
            }
            if isCompromised || ended?.rewrappedAt == nil { step.compromisedAt = ended?.compromisedAt }
            try addOwnKeys(replacing: replaces, vault, derivedFrom: former, in: transaction)
            return step
        }

        /// - Returns: The row of the key that ends.
        private func change(
            from former: KeyMaterial, to target: KeyMaterial, _ vault: VaultState, in transaction: borrowing Transaction
        ) throws -> MasterKeyRow {
            func row(of key: KeyMaterial) -> MasterKeyRow {
                vault.history.first { $0.checkValue == key.checkValue }
                    ?? MasterKeyRow(key: transaction.nextKey(), id: key.identifier, checkValue: key.checkValue)
            }
            var (old, new) = (row(of: former), row(of: target))
            guard new.compromisedAt == nil else {
                throw MasterKeyRotation.Refusal.compromisedKey(keyID: target.identifier)
            }
            old.endedAt = transaction.now
            old.rewrappedAt = nil
            if isCompromised { old.compromisedAt = transaction.now }
            (new.beganAt, new.endedAt, new.rewrappedAt) = (transaction.now, nil, nil)
            try transaction.put(old)
            try transaction.put(new)
            try transaction.updateSetting(VaultState.checkName, target.checkValue)
            try transaction.audit(
                "master-key.rotated", of: nil,
                detail: [
                    "from": .string(old.id), "to": .string(new.id), "compromised": .bool(isCompromised),
                ])
            return old
        }

        /// Gives each purpose without keys of its own the one that was derived so far, which goes on verifying, and a
        /// random one; in place of compromised keys, random ones only. Those of the audit stay, to verify.
        private func addOwnKeys(
            replacing: Bool, _ vault: VaultState, derivedFrom former: KeyMaterial, in transaction: borrowing Transaction
        ) throws {
            let now = transaction.now
            for (purpose, material) in drawn {
                let known = vault.wrapped.filter { $0.purpose == purpose.rawValue }
                guard known.isEmpty || replacing else { continue }
                let isReplaced = replacing && !purpose.keepsEarlierKeys
                if isReplaced {
                    try transaction.removeWrappedKeys(of: purpose.rawValue)
                } else if known.isEmpty, !purpose.isSealedForBrowsers,
                    let derived = KeyMaterial(bytes: former.derive(purpose).bytes)
                {
                    try add(
                        derived, purpose, 0, id: former.identifier, activatesAt: Timestamp(milliseconds: 0),
                        in: transaction)
                }
                let delay = replacing || purpose.keepsEarlierKeys ? .zero : MasterKeyRotation.activationDelay
                try add(
                    material, purpose, (known.map(\.generation).max() ?? 0) + 1, id: material.identifier,
                    activatesAt: now.advanced(by: delay), in: transaction)
                if purpose == .auditSeals { try signAudit(with: material, in: transaction) }
            }
        }

        /// Signs the records of the audit's chain with its new key, so that the former one cannot shorten it.
        private func signAudit(with material: KeyMaterial, in transaction: borrowing Transaction) throws {
            let chain = AuditChain(masterKey)
            let secret = MasterKey.SigningSecret(id: material.identifier, key: material.symmetricKey)
            for anchor in try transaction.auditAnchors().values where chain.isValid(anchor) {
                try transaction.put(AuditChain.sign(anchor.name, at: anchor.place, anchor.at, with: secret))
            }
            guard try transaction.auditRecord() == chain.record else { return }
            try transaction.putAuditRecord(AuditChain.record(with: secret))
        }

        private func add(
            _ material: KeyMaterial, _ purpose: MasterKey.Purpose, _ generation: Int64, id: String,
            activatesAt: Timestamp, in transaction: borrowing Transaction
        ) throws {
            var row = WrappedKey(
                key: transaction.nextKey(), purpose: purpose.rawValue, generation: generation, id: id, sealedKey: [],
                createdAt: transaction.now, activatesAt: activatesAt)
            row.sealedKey = try Sealer(masterKey, for: .wrappedKeys)
                .seal(material.bytes, row: row.sealedRow, with: masterKey.configured)
            try transaction.insert(row)
        }
    }
}
