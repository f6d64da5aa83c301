import Dispatch
import Foundation
import Locks

/// A ``SessionStorage`` of generic passwords in the Keychain, by service and account.
///
/// Items stay on this device: no choice of ``KeychainAccessibility`` lets iCloud or a backup take them to another, and none
/// is synchronizable. Items of ``StorageKey/highAssuranceService`` can be read only after the user has confirmed with the
/// biometrics that are enrolled now; enrolling others makes them unreadable.
///
/// The Keychain keeps items when an app is deleted. At the first use after an installation, which an ``InstallMarker``
/// tells, the items of this client are deleted.
///
/// On platforms with Security, `init(accessibility:accessGroup:installMarker:)` makes one.
public struct KeychainSessionStorage: SessionStorage {
    private let passwords: KeychainPasswords
    private let accessibility: KeychainAccessibility
    private let installation: Installation

    init(
        items: any KeychainItems, accessibility: KeychainAccessibility, accessGroup: String?,
        installMarker: InstallMarker?
    ) {
        passwords = KeychainPasswords(items: items, accessGroup: accessGroup)
        self.accessibility = accessibility
        installation = Installation(marker: installMarker)
    }

    /// Reads an item. One of ``StorageKey/highAssuranceService`` is read with a prompt.
    public func load(_ key: StorageKey) async throws(BrokerAuthError) -> StoredItem? {
        try await item(key, prompt: nil)
    }

    /// Reads an item. One of ``StorageKey/highAssuranceService`` shows the biometric prompt.
    public func load(_ key: StorageKey, prompt: String) async throws(BrokerAuthError) -> StoredItem? {
        try await item(key, prompt: prompt)
    }

    private func item(_ key: StorageKey, prompt: String?) async throws(BrokerAuthError) -> StoredItem? {
        try await perform(for: key) { () throws(KeychainFailure) in
            try passwords.load(key, prompt: prompt).map { StoredItem(key: key, content: $0) }
        }
    }

    /// Replaces an item, or adds it.
    public func save(_ item: StoredItem) async throws(BrokerAuthError) {
        try await perform(for: item.key) { () throws(KeychainFailure) in
            let needsBiometry = item.key.service == StorageKey.highAssuranceService
            try passwords.save(
                item.content, at: item.key,
                protection: needsBiometry ? .biometryCurrentSet : .accessible(accessibility))
        }
    }

    /// Deletes an item.
    public func remove(_ key: StorageKey) async throws(BrokerAuthError) {
        try await perform(for: key) { () throws(KeychainFailure) in
            try passwords.remove(key.service, account: key.account)
        }
    }

    /// Runs calls of the Keychain on a thread that may wait: for another process, and for the user at a prompt.
    private func perform<Value: Sendable>(
        for key: StorageKey, _ calls: @escaping @Sendable () throws(KeychainFailure) -> Value
    ) async throws(BrokerAuthError) -> Value {
        let result: Result<Value, KeychainFailure> = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async { [passwords, installation] in
                do throws(KeychainFailure) {
                    try installation.begin(with: passwords, account: key.account)
                    continuation.resume(returning: .success(try calls()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.mapError(\.asAuthError).get()
    }
}

/// Deletes the items of an earlier installation, once.
private final class Installation: Sendable {
    private let marker: InstallMarker?
    private let hasBegun: Mutex<Bool>

    init(marker: InstallMarker?) {
        self.marker = marker
        hasBegun = Mutex(marker == nil)
    }

    func begin(with passwords: KeychainPasswords, account: String) throws(KeychainFailure) {
        try hasBegun.withLock { hasBegun throws(KeychainFailure) in
            guard !hasBegun, let marker else { return }
            if !marker.isSet() {
                // While the device is locked, user defaults cannot be read either: this throws before anything is
                // deleted.
                _ = try passwords.hasItem(StorageKey.sessionService)
                // Only this client's: without an access group a query matches the items of every group of the app,
                // also those of other apps of the family.
                for service in [
                    StorageKey.sessionService, StorageKey.localUsersService, StorageKey.pendingSignInService,
                    StorageKey.deviceSecretService, StorageKey.highAssuranceService,
                ] {
                    try passwords.remove(service, account: account)
                }
                marker.set()
            }
            hasBegun = true
        }
    }
}
