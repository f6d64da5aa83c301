import Foundation

/// The four calls of Keychain Services on generic passwords, over values.
///
/// Decisions are written against this protocol, so that it runs where there is no Keychain.
protocol KeychainItems: Sendable {
    /// Reads the data of one matching item (`SecItemCopyMatching`).
    func copyData(matching query: KeychainQuery) -> (status: KeychainStatus, data: Data?)

    /// Adds an item; `errSecDuplicateItem` if there is one of the same service and account (`SecItemAdd`).
    func add(_ data: Data, as query: KeychainQuery, protection: KeychainProtection) -> KeychainStatus

    /// Replaces the data and the protection of the matching items (`SecItemUpdate`).
    func update(_ query: KeychainQuery, to data: Data, protection: KeychainProtection) -> KeychainStatus

    /// Deletes the matching items (`SecItemDelete`).
    func delete(matching query: KeychainQuery) -> KeychainStatus
}

/// The attributes that select generic passwords. None of them is secret.
struct KeychainQuery: Sendable, Hashable {
    /// `kSecAttrService`.
    let service: String
    /// `kSecAttrAccount`; nil matches every account of the service.
    var account: String?
    /// `kSecAttrAccessGroup`; without it an item is added to the app's first group, and those of all its groups match.
    var accessGroup: String?
    /// The text of the biometric prompt that a read may show.
    var prompt: String?
}

/// When an item can be read, and by whose confirmation. Every case keeps it on this device.
enum KeychainProtection: Sendable, Hashable {
    case accessible(KeychainAccessibility)
    /// Only after the user has confirmed with the biometrics that are enrolled now (`biometryCurrentSet`).
    case biometryCurrentSet
}

/// When items can be read. Both choices keep them on this device: neither iCloud nor a backup takes them to another.
public enum KeychainAccessibility: Sendable, Hashable, CaseIterable {
    /// From the first unlock after a start on (`kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`). Background refresh
    /// works.
    case afterFirstUnlockThisDeviceOnly
    /// Only while the device is unlocked (`kSecAttrAccessibleWhenUnlockedThisDeviceOnly`). Refreshes in the background
    /// throw ``BrokerAuthError/storageLocked`` while the device is locked.
    case whenUnlockedThisDeviceOnly
}

/// A result code of Security (`OSStatus`).
struct KeychainStatus: RawRepresentable, Sendable, Hashable {
    let rawValue: Int32

    static let success = KeychainStatus(rawValue: 0)
    static let duplicateItem = KeychainStatus(rawValue: -25299)
    static let itemNotFound = KeychainStatus(rawValue: -25300)
    /// The device is locked, or a prompt would be needed where none may be shown.
    static let interactionNotAllowed = KeychainStatus(rawValue: -25308)
    static let userCanceled = KeychainStatus(rawValue: -128)
    /// `errSecParam`: an access control that Security refuses to make.
    static let missingAccessControl = KeychainStatus(rawValue: -50)
}
