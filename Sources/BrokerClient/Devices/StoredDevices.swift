import Foundation

/// The secrets by which the broker's providers know this device, in an item of their own: they outlive a session that the
/// broker ends.
struct StoredDevices: Codable, Sendable, Equatable {
    /// This device at one provider.
    struct Device: Codable, Sendable, Equatable {
        /// The id that the app has given it.
        let id: String
        /// The broker's proof of it; nil until the broker has told it.
        var secret: String?
        /// The user that it signed in last.
        var userID: String?
        /// Whether that user had no identity: then nothing but this device knows them.
        var isAnonymous = false
    }

    private var devices: [String: Device] = [:]

    subscript(provider: ProviderID) -> Device? {
        get { devices[provider.rawValue] }
        set { devices[provider.rawValue] = newValue }
    }

    init() {}

    /// Reads the stored form; nil for content of another form.
    init?(content: Data) {
        guard let devices = try? JSONDecoder().decode(StoredDevices.self, from: content) else { return nil }
        self = devices
    }

    /// The stored form.
    func content() throws(BrokerAuthError) -> Data {
        do {
            return try JSONEncoder().encode(self)
        } catch {
            throw .storageFailed("the device's secrets cannot be encoded")
        }
    }
}

extension StoredDevices.Device: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the secret.
    var description: String { "Device(<redacted>)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension CurrentSession {
    /// This device at a provider, as it is stored.
    func device(at provider: ProviderID) async throws(BrokerAuthError) -> StoredDevices.Device? {
        try await devices()[provider]
    }

    /// Stores this device at a provider, or removes it.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - provider: The provider.
    ///   - isKnown: Whether only a device that is stored with its secret is stored again: a sign-out may have removed it
    ///     meanwhile.
    /// - Throws: ``BrokerAuthError``.
    func store(
        _ device: StoredDevices.Device?, at provider: ProviderID, onlyIfKnown isKnown: Bool = false
    ) async throws(BrokerAuthError) {
        try await exclusively { current in
            do throws(BrokerAuthError) {
                var devices = try await current.devices()
                if isKnown {
                    guard let secret = device?.secret, devices[provider]?.secret == secret else { return .success(()) }
                }
                devices[provider] = device
                try await current.storage.save(StoredItem(key: current.deviceKey, content: try devices.content()))
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }

    private func devices() async throws(BrokerAuthError) -> StoredDevices {
        try await storage.load(deviceKey).flatMap { StoredDevices(content: $0.content) } ?? StoredDevices()
    }
}
