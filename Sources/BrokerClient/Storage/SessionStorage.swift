public import Foundation

/// The place of an item in a ``SessionStorage``.
public struct StorageKey: Sendable, Hashable {
    /// The kind of item: one of ``sessionService``, ``localUsersService``, ``pendingSignInService``,
    /// ``deviceSecretService`` and ``highAssuranceService``.
    public let service: String
    /// The owner of the item: the issuer and the client, so that apps and brokers do not share items by accident.
    public let account: String

    /// The service of sessions: refresh token, tokens and user id in one item.
    public static let sessionService = "broker.session"
    /// The service of the ids of the users whose data a device holds. Not secret; stays when the session ends.
    public static let localUsersService = "broker.local-users"
    /// The service of sign-ins whose redirect has not arrived: for ten minutes, and gone at use.
    public static let pendingSignInService = "broker.pending-sign-in"
    /// The service of secrets that identify a device.
    public static let deviceSecretService = "broker.device-secret"
    /// The service of tokens for sensitive operations, which a storage may protect with biometry. Never read in the
    /// background.
    public static let highAssuranceService = "broker.high-assurance"

    /// - Parameters:
    ///   - service: The kind of item.
    ///   - account: The owner of the item.
    public init(service: String, account: String) {
        self.service = service
        self.account = account
    }

    /// The key of the session of `configuration`.
    public static func session(of configuration: BrokerConfiguration) -> StorageKey {
        StorageKey(service: sessionService, account: account(of: configuration))
    }

    /// The key of the ids of the users whose data the device of `configuration` holds.
    public static func localUsers(of configuration: BrokerConfiguration) -> StorageKey {
        StorageKey(service: localUsersService, account: account(of: configuration))
    }

    /// The key of the pending sign-in of `configuration`.
    public static func pendingSignIn(of configuration: BrokerConfiguration) -> StorageKey {
        StorageKey(service: pendingSignInService, account: account(of: configuration))
    }

    /// The key of the secrets by which the broker of `configuration` knows this device.
    public static func deviceSecret(of configuration: BrokerConfiguration) -> StorageKey {
        StorageKey(service: deviceSecretService, account: account(of: configuration))
    }

    /// The key of the token for sensitive calls of `configuration`.
    public static func highAssurance(of configuration: BrokerConfiguration) -> StorageKey {
        StorageKey(service: highAssuranceService, account: account(of: configuration))
    }

    private static func account(of configuration: BrokerConfiguration) -> String {
        "\(configuration.issuerText) \(configuration.clientID)"
    }
}

/// A stored secret.
public struct StoredItem: Sendable, Hashable {
    /// Its place.
    public let key: StorageKey
    /// Its content, opaque to the storage.
    public var content: Data

    /// - Parameters:
    ///   - key: Its place.
    ///   - content: Its content.
    public init(key: StorageKey, content: Data) {
        self.key = key
        self.content = content
    }
}

extension StoredItem: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The place, and nothing of the content.
    public var description: String { "StoredItem(\(key.service), <redacted>)" }
    /// The place, and nothing of the content.
    public var debugDescription: String { description }
    /// The place, and nothing of the content.
    public var customMirror: Mirror { Mirror(self, children: ["key": key]) }
}

/// A store of small secrets: the Keychain, or files that only the user can read.
///
/// Every call is atomic: an item is read as it was before a save or as it is after.
public protocol SessionStorage: Sendable {
    /// Reads an item.
    ///
    /// - Parameter key: Its place.
    /// - Returns: The item, or `nil` when there is none.
    /// - Throws: ``BrokerAuthError/storageLocked`` when it exists but cannot be read now, ``BrokerAuthError/storageFailed(_:)``.
    func load(_ key: StorageKey) async throws(BrokerAuthError) -> StoredItem?

    /// Reads an item for which the storage may ask the user, such as one that biometry protects. The default asks nothing.
    ///
    /// - Parameters:
    ///   - key: Its place.
    ///   - prompt: The text of the question.
    /// - Returns: The item, or `nil` when there is none, or none any more that the user can confirm.
    /// - Throws: ``BrokerAuthError/userCancelled``, and as ``load(_:)``.
    func load(_ key: StorageKey, prompt: String) async throws(BrokerAuthError) -> StoredItem?

    /// Adds an item, or replaces the one of the same key. When the call returns, the item survives a crash.
    ///
    /// - Parameter item: The item.
    /// - Throws: ``BrokerAuthError/storageLocked``, ``BrokerAuthError/storageFailed(_:)``; the former item is unchanged
    ///   then.
    func save(_ item: StoredItem) async throws(BrokerAuthError)

    /// Removes an item. Removing one that does not exist succeeds.
    ///
    /// - Parameter key: Its place.
    /// - Throws: ``BrokerAuthError/storageLocked``, ``BrokerAuthError/storageFailed(_:)``.
    func remove(_ key: StorageKey) async throws(BrokerAuthError)

    /// Runs `body` while no other process runs one for the same key. The default runs it at once, for storages without
    /// a lock: the broker forgives that two processes refresh with the same token within a minute.
    ///
    /// - Parameters:
    ///   - key: The place of the item that `body` changes.
    ///   - body: The work.
    /// - Returns: What `body` returns.
    /// - Throws: ``BrokerAuthError`` when the lock cannot be had.
    func withExclusiveAccess<Value: Sendable>(
        to key: StorageKey, _ body: @Sendable () async -> Value
    ) async throws(BrokerAuthError) -> Value
}

extension SessionStorage {
    /// Reads the item without a question.
    public func load(_ key: StorageKey, prompt: String) async throws(BrokerAuthError) -> StoredItem? {
        try await load(key)
    }

    /// Runs `body` at once.
    public func withExclusiveAccess<Value: Sendable>(
        to key: StorageKey, _ body: @Sendable () async -> Value
    ) async throws(BrokerAuthError) -> Value { await body() }
}
