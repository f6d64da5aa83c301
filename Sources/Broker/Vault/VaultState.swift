package import BrokerStore
import Synchronization

/// The store's record of its master keys.
package struct VaultState: Sendable, Equatable {
    static let checkName = "master-key-check"

    /// The check value of the key that seals.
    package let checkValue: [UInt8]
    /// The keys since the first rotation, oldest first.
    package let history: [MasterKeyRow]
    package let wrapped: [WrappedKey]

    /// The keys whose values are not all sealed under the current one yet.
    package var unfinished: [MasterKeyRow] { history.filter { $0.endedAt != nil && $0.rewrappedAt == nil } }

    /// The key that seals, in words for errors.
    var currentName: String { history.last { $0.endedAt == nil }.map { "key \($0.id)" } ?? "another key" }
}

extension Transaction {
    /// The store's record of its master keys; nil for a store that has none.
    package func vaultState() throws(StoreError) -> VaultState? {
        guard let checkValue = try setting(VaultState.checkName) else { return nil }
        return VaultState(checkValue: checkValue, history: try masterKeys(), wrapped: try wrappedKeys())
    }
}

extension MasterKey {
    /// Adopts the store's keys: the master key that seals, and the keys sealed under it.
    ///
    /// - Returns: Whether another master key seals from now on.
    /// - Throws: ``ConfigurationError`` when this broker does not have every master key that the store is sealed under; it
    ///   must not serve then.
    @discardableResult
    package func adopt(_ vault: VaultState) throws(ConfigurationError) -> Bool {
        let sealing = try sealingKey(of: vault)
        // A broker looks every few seconds, and the same sealed keys open to the same keys.
        guard self.state.withLock({ $0.adopted != vault }) else { return false }
        var state = State(sealing: sealing)
        for row in vault.wrapped {
            guard let purpose = Purpose(rawValue: row.purpose) else { continue }
            state.own[purpose, default: []].append(try open(row))
        }
        state.adopted = vault
        state.opensEarlierForms = !vault.history.contains { $0.compromisedAt != nil }
        return self.state.withLock { current in
            defer { current = state }
            return current.sealing.id != sealing.id
        }
    }

    /// The key that the store is sealed under.
    ///
    /// - Throws: ``ConfigurationError`` when this broker does not have it, or not all that values are still under.
    func sealingKey(of vault: VaultState) throws(ConfigurationError) -> KeyMaterial {
        guard let sealing = keys.first(where: { $0.checkValue == vault.checkValue }) else { throw refusal(vault) }
        for row in vault.unfinished where !keys.contains(where: { $0.checkValue == row.checkValue }) {
            throw ConfigurationError(
                "previousMasterKey", "is missing: values of the store are still sealed under key \(row.id).",
                fix: "Configure that key as previousMasterKey, and run broker vault rotate until it has finished.")
        }
        return sealing
    }

    /// The reason none of the keys is the store's.
    func refusal(_ vault: VaultState) -> ConfigurationError {
        let ended = vault.history.first { row in
            row.endedAt != nil && keys.contains { $0.checkValue == row.checkValue }
        }
        guard let ended else {
            return ConfigurationError(
                "masterKey", "is not the key this store was made with.",
                fix: "Restore the key that belongs to the database, or start with an empty one.")
        }
        return ConfigurationError(
            "masterKey",
            "is key \(ended.id); a rotation has replaced it, and the store is sealed under \(vault.currentName).",
            fix: "Configure that one as masterKey, and key \(ended.id) as previousMasterKey.")
    }

    private func open(_ row: WrappedKey) throws(ConfigurationError) -> OwnKey {
        guard let bytes = try? Sealer(self, for: .wrappedKeys).open(row.sealedKey, row: row.sealedRow),
            let material = KeyMaterial(bytes: bytes)
        else {
            throw ConfigurationError(
                "database",
                "a key of its table wrapped_keys does not open (\(row.purpose), generation \(row.generation)).",
                fix: "The row was altered or damaged: restore a backup.")
        }
        return OwnKey(id: row.id, material: material, activatesAt: row.activatesAt)
    }
}

extension WrappedKey {
    /// The name its sealed key is bound to.
    var sealedRow: [String] { ["wrapped_keys", purpose, String(generation), id, String(activatesAt.milliseconds)] }
}
