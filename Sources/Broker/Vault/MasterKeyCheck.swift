import BrokerStore

/// Makes sure that a store and a master key belong together before anything is read or written with it.
struct MasterKeyCheck: Sendable {
    let store: Store

    private static let name = "master-key-check"

    /// - Throws: ``ConfigurationError`` when the store was made with another key, or lost its check value.
    func callAsFunction(_ masterKey: MasterKey) async throws {
        let value = masterKey.checkValue
        let known = try await store.write { transaction -> [UInt8]? in
            if let known = try transaction.setting(Self.name) { return known }
            // Keys without a check value mean that the store was altered.
            guard try transaction.allSigningKeys().isEmpty else { return nil }
            _ = try transaction.insertSetting(Self.name, value)
            return value
        }
        guard known == value else {
            throw ConfigurationError(
                "masterKey", "is not the key this store was made with.",
                fix: "Restore the key that belongs to the database, or start with an empty one.")
        }
    }
}
