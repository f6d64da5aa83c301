import Foundation
import ProviderKit
import StrictJSON

extension BrokerAuth {
    /// Signs in as the user of this device at a provider that knows devices, such as 1Pass: without a page, and with an
    /// anonymous user where the device has none yet.
    ///
    /// The broker tells the device a secret once, which is stored under ``StorageKey/deviceSecretService`` and proves the
    /// device from then on. It stays when the broker ends the session: call this again then. A sign-out removes it.
    ///
    /// Concurrent calls are one. A secret that the broker does not accept any more is removed; the device is introduced
    /// again, unless its user was anonymous: a new introduction would be another user.
    ///
    /// - Parameters:
    ///   - provider: A provider that signs devices in.
    ///   - accessToken: The provider's access token of the user, where the provider exchanges it for the device's.
    /// - Returns: The session and what the provider says.
    /// - Throws: ``BrokerAuthError``; ``BrokerAuthError/invalidDeviceSecret`` when an anonymous user has to sign in again,
    ///   ``BrokerAuthError/deviceClaimedByOtherUser``.
    public func bootstrapDevice(
        at provider: ProviderID = .onePass, accessToken: String? = nil
    ) async throws(BrokerAuthError) -> SignInResult {
        try await introductions.outcome(at: provider) { [self] in
            do throws(BrokerAuthError) {
                return .success(try await introduceDevice(at: provider, accessToken))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    private func introduceDevice(
        at provider: ProviderID, _ accessToken: String?
    ) async throws(BrokerAuthError) -> SignInResult {
        let known = try await current.device(at: provider)
        do throws(BrokerAuthError) {
            return try await signIn(known ?? .new, at: provider, accessToken)
        } catch {
            guard error == .invalidDeviceSecret, let known else { throw error }
            let isAnonymous = await isAnonymous(known)
            try await current.store(nil, at: provider)
            guard !isAnonymous else { throw error }
            return try await signIn(.new, at: provider, accessToken)
        }
    }

    private func signIn(
        _ device: StoredDevices.Device, at provider: ProviderID, _ accessToken: String?
    ) async throws(BrokerAuthError) -> SignInResult {
        var device = device
        let result = try await perform(.signIn, provider: provider) { (_) async throws(BrokerAuthError) in
            let members = try await TokenExchange(endpoints: endpoints).introduction(
                of: device, at: provider, accessToken: accessToken)
            let answer = try TokenAnswer(members)
            if let secret = members["device_secret"]?.string {
                device.secret = secret
                do throws(BrokerAuthError) {
                    // Before anything else: the broker tells it once.
                    try await current.store(device, at: provider)
                } catch {
                    await current.discard(answer)
                    throw error
                }
            }
            return (answer, .absent)
        }
        (device.userID, device.isAnonymous) = (result.session.userID, result.session.isAnonymous)
        try await current.store(device, at: provider, onlyIfKnown: true)
        return result
    }

    /// Whether the device's user has no identity, as the session says where it is theirs.
    private func isAnonymous(_ device: StoredDevices.Device) async -> Bool {
        guard let session = await session, session.userID == device.userID else { return device.isAnonymous }
        return session.isAnonymous
    }
}

extension StoredDevices.Device {
    /// A device that no provider knows yet.
    fileprivate static var new: StoredDevices.Device { StoredDevices.Device(id: UUID().uuidString.lowercased()) }

    /// The platform as providers name it.
    static var platform: String {
        #if os(iOS)
            "ios"
        #elseif os(macOS)
            "macos"
        #elseif os(visionOS)
            "visionos"
        #elseif os(tvOS)
            "tvos"
        #elseif os(watchOS)
            "watchos"
        #else
            "linux"
        #endif
    }
}
