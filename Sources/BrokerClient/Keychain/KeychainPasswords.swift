import Foundation

/// Generic passwords by service and account.
struct KeychainPasswords: Sendable {
    let items: any KeychainItems
    var accessGroup: String?

    /// Returns the stored data, or nil.
    func load(_ key: StorageKey, prompt: String? = nil) throws(KeychainFailure) -> Data? {
        let (status, data) = items.copyData(matching: query(key.service, key.account, prompt: prompt))
        switch status {
        case .success: return data
        case .itemNotFound: return nil
        default: throw KeychainFailure(operation: "read", status)
        }
    }

    /// Replaces the item, or adds it where there is none.
    func save(_ data: Data, at key: StorageKey, protection: KeychainProtection) throws(KeychainFailure) {
        let query = query(key.service, key.account)
        // The prompt that an update of such an item shows would be for its old content. After new biometrics were
        // enrolled, there is no way to confirm it at all.
        if protection == .biometryCurrentSet { try remove(key.service, account: key.account) }
        var status = items.update(query, to: data, protection: protection)
        if status == .itemNotFound { status = items.add(data, as: query, protection: protection) }
        // Another process of the access group has added it between the two calls.
        if status == .duplicateItem { status = items.update(query, to: data, protection: protection) }
        guard status == .success else { throw KeychainFailure(operation: "write", status) }
    }

    /// Deletes an item, or every item of the service; nothing to delete is success.
    func remove(_ service: String, account: String?) throws(KeychainFailure) {
        let status = items.delete(matching: query(service, account))
        guard status == .success || status == .itemNotFound else {
            throw KeychainFailure(operation: "delete", status)
        }
    }

    /// Whether the service has an item of any account.
    func hasItem(_ service: String) throws(KeychainFailure) -> Bool {
        let (status, _) = items.copyData(matching: query(service, nil))
        switch status {
        case .success: return true
        case .itemNotFound: return false
        default: throw KeychainFailure(operation: "read", status)
        }
    }

    private func query(_ service: String, _ account: String?, prompt: String? = nil) -> KeychainQuery {
        KeychainQuery(service: service, account: account, accessGroup: accessGroup, prompt: prompt)
    }
}

/// A refusal of the Keychain, with Security's result code.
struct KeychainFailure: Error, Hashable {
    let operation: String
    let status: KeychainStatus

    init(operation: String, _ status: KeychainStatus) {
        self.operation = operation
        self.status = status
    }

    /// The error of the library.
    var asAuthError: BrokerAuthError {
        switch status {
        case .interactionNotAllowed: .storageLocked
        case .userCanceled: .userCancelled
        default: .storageFailed("Keychain: cannot \(operation) the item, OSStatus \(status.rawValue)")
        }
    }
}
