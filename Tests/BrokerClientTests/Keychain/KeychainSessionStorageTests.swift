import Foundation
import Synchronization
import Testing

@testable import BrokerClient

@Suite("The storage in the Keychain")
struct KeychainSessionStorageTests {
    private static let session = StorageKey(service: StorageKey.sessionService, account: "a")
    private static let highAssurance = StorageKey(service: StorageKey.highAssuranceService, account: "a")
    private static let secret = Data("secret".utf8)
    private static let newSecret = Data("new".utf8)

    private let keychain = MemoryKeychain()

    @Test func `an item is added first and updated afterwards`() async throws {
        let storage = storage()

        try await storage.save(StoredItem(key: Self.session, content: Self.secret))
        let first = try await storage.load(Self.session)
        try await storage.save(StoredItem(key: Self.session, content: Self.newSecret))
        let second = try await storage.load(Self.session)

        #expect(first?.content == Self.secret && second?.content == Self.newSecret)
        #expect(keychain.count == 1)
    }

    @Test func `an item that another process adds at the same time is updated`() async throws {
        let query = KeychainQuery(service: Self.session.service, account: Self.session.account)
        keychain.state.withLock {
            $0.beforeAdd = { _ = $0.add(Self.secret, as: query, protection: .biometryCurrentSet) }
        }

        try await storage().save(StoredItem(key: Self.session, content: Self.newSecret))

        #expect(keychain.item(Self.session)?.data == Self.newSecret)
        #expect(keychain.item(Self.session)?.protection == .accessible(.afterFirstUnlockThisDeviceOnly))
    }

    @Test func `items of different services and accounts are apart`() async throws {
        let storage = storage()
        let keys = [
            Self.session, StorageKey(service: StorageKey.sessionService, account: "b"),
            StorageKey(service: StorageKey.deviceSecretService, account: "a"),
        ]

        for key in keys {
            try await storage.save(StoredItem(key: key, content: Data("\(key.service) \(key.account)".utf8)))
        }
        try await storage.remove(keys[0])

        #expect(try await storage.load(keys[0]) == nil)
        for key in keys.dropFirst() {
            #expect(try await storage.load(key)?.content == Data("\(key.service) \(key.account)".utf8))
        }
    }

    @Test func `to remove nothing is a success, and to load nothing is nil`() async throws {
        try await storage().remove(Self.session)

        #expect(try await storage().load(Self.session) == nil)
    }

    @Test func `while the device is locked every call says so, and nothing is lost`() async throws {
        let storage = storage()
        try await storage.save(StoredItem(key: Self.session, content: Self.secret))
        keychain.state.withLock { $0.isLocked = true }

        await #expect(throws: BrokerAuthError.storageLocked) { try await storage.load(Self.session) }
        await #expect(throws: BrokerAuthError.storageLocked) {
            try await storage.save(StoredItem(key: Self.session, content: Self.newSecret))
        }
        keychain.state.withLock { $0.isLocked = false }

        #expect(try await storage.load(Self.session)?.content == Self.secret)
    }

    @Test func `every other status is an error that names the operation and the status`() async throws {
        let storage = storage()
        // errSecMissingEntitlement
        keychain.state.withLock { $0.failure = KeychainStatus(rawValue: -34018) }
        func failure(_ call: () async throws(BrokerAuthError) -> Void) async -> String {
            do throws(BrokerAuthError) { try await call() } catch { return "\(error)" }
            return "no error"
        }

        let load = await failure { () async throws(BrokerAuthError) in _ = try await storage.load(Self.session) }
        let save = await failure { () async throws(BrokerAuthError) in
            try await storage.save(StoredItem(key: Self.session, content: Self.secret))
        }
        let remove = await failure { () async throws(BrokerAuthError) in try await storage.remove(Self.session) }

        #expect(load.contains("storageFailed") && load.contains("read") && load.contains("-34018"))
        #expect(save.contains("storageFailed") && save.contains("write") && save.contains("-34018"))
        #expect(remove.contains("storageFailed") && remove.contains("delete") && remove.contains("-34018"))
        #expect(!save.contains("secret"))
    }

    @Test(arguments: KeychainAccessibility.allCases)
    func `items are stored with the accessibility that was chosen`(accessibility: KeychainAccessibility) async throws {
        try await storage(accessibility: accessibility).save(StoredItem(key: Self.session, content: Self.secret))

        #expect(keychain.item(Self.session)?.protection == .accessible(accessibility))
    }

    @Test func `items of high assurance need biometry, and each read shows the prompt`() async throws {
        let storage = storage()

        try await storage.save(StoredItem(key: Self.highAssurance, content: Self.secret))
        try await storage.save(StoredItem(key: Self.highAssurance, content: Self.newSecret))
        try await storage.save(StoredItem(key: Self.session, content: Self.secret))
        _ = try await storage.load(Self.session)
        let unprompted = keychain.state.withLock { $0.prompts }
        let loaded = try await storage.load(Self.highAssurance, prompt: "Confirm")

        #expect(unprompted == [])
        #expect(loaded?.content == Self.newSecret)
        #expect(keychain.item(Self.highAssurance)?.protection == .biometryCurrentSet)
        #expect(keychain.state.withLock { $0.prompts } == ["Confirm"])
    }

    @Test func `after other biometrics were enrolled an item of high assurance is gone and can be written anew`()
        async throws
    {
        let storage = storage()
        try await storage.save(StoredItem(key: Self.highAssurance, content: Self.secret))
        keychain.state.withLock { $0.hasOtherBiometrics = true }

        let gone = try await storage.load(Self.highAssurance)
        try await storage.save(StoredItem(key: Self.highAssurance, content: Self.newSecret))

        #expect(gone == nil)
        #expect(keychain.item(Self.highAssurance)?.data == Self.newSecret)
    }

    @Test func `an access group is part of every call`() async throws {
        let storage = storage(accessGroup: "team.shared")

        try await storage.save(StoredItem(key: Self.session, content: Self.secret))

        #expect(keychain.item(Self.session, accessGroup: "team.shared")?.data == Self.secret)
        #expect(keychain.item(Self.session) == nil)
        #expect(try await self.storage(accessGroup: "team.other").load(Self.session) == nil)
    }

    @Test func `items of a deleted installation are deleted at the first use, and later ones stay`() async throws {
        let marker = Marker()
        try await storage().save(StoredItem(key: Self.session, content: Self.secret))
        try await storage().save(StoredItem(key: Self.highAssurance, content: Self.secret))

        let first = try await storage(marker: marker).load(Self.session)
        let left = keychain.count
        try await storage(marker: marker).save(StoredItem(key: Self.session, content: Self.newSecret))
        let later = try await storage(marker: marker).load(Self.session)

        #expect(first == nil && left == 0 && marker.isSet)
        #expect(later?.content == Self.newSecret)
        #expect(keychain.state.withLock { $0.prompts } == [], "no prompt for what is deleted")
    }

    @Test func `before the first unlock nothing is deleted, even if the marker cannot be read`() async throws {
        let marker = Marker()
        try await storage().save(StoredItem(key: Self.session, content: Self.secret))
        keychain.state.withLock { $0.isLocked = true }

        await #expect(throws: BrokerAuthError.storageLocked) {
            try await storage(marker: marker).load(Self.session)
        }

        #expect(keychain.count == 1 && !marker.isSet)
    }

    @Test func `the marker in the user defaults is a boolean and nothing else`() throws {
        let suite = "broker-tests-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        let marker = InstallMarker.userDefaults(suiteName: suite)

        let before = marker.isSet()
        marker.set()

        #expect(!before && marker.isSet())
        #expect(defaults.object(forKey: "broker.installed") as? Bool == true)
    }

    private func storage(
        accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly, accessGroup: String? = nil,
        marker: Marker? = nil
    ) -> KeychainSessionStorage {
        KeychainSessionStorage(
            items: keychain, accessibility: accessibility, accessGroup: accessGroup,
            installMarker: marker.map { marker in
                InstallMarker(isSet: { marker.isSet }, set: { marker.isSet = true })
            })
    }

    private final class Marker: Sendable {
        private let stored = Mutex(false)

        var isSet: Bool {
            get { stored.withLock { $0 } }
            set { stored.withLock { $0 = newValue } }
        }
    }
}
