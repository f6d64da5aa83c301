import BrokerStore

extension StoreContext {
    /// Makes sure that the store and the master key belong together before anything is read or written with it, and
    /// adopts the keys of the store, which gets its check value if it is new.
    ///
    /// - Throws: ``ConfigurationError`` when the store is sealed under a key the broker does not have, or lost its check
    ///   value.
    func adoptMasterKey() async throws {
        let value = masterKey.configured.checkValue
        let vault = try await store.write { transaction -> VaultState? in
            if let known = try transaction.vaultState() { return known }
            // Keys without a check value mean that the store was altered.
            guard try transaction.allSigningKeys().isEmpty else { return nil }
            _ = try transaction.insertSetting(VaultState.checkName, value)
            try transaction.putAuditRecord([])
            return try transaction.vaultState()
        }
        guard let vault else {
            throw ConfigurationError(
                "masterKey", "is not the key this store was made with.",
                fix: "Restore the key that belongs to the database, or start with an empty one.")
        }
        try masterKey.adopt(vault)
    }
}
