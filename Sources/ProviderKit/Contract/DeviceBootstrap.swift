/// A provider that signs in a device whose user has no account yet, as an anonymous account (1Pass).
public protocol DeviceBootstrap: IdentityProvider {
    /// Whether this instance is configured for it.
    var offersDeviceBootstrap: Bool { get }

    /// Introduces a device to the provider, or authenticates one that the provider knows.
    ///
    /// - Throws: ``ProviderError`` when the provider gives no verdict, or refuses the user's access token.
    func bootstrap(_ device: BootstrapDevice) async throws(ProviderError) -> DeviceBootstrapAnswer
}

/// A device as it introduces itself to a provider.
///
/// Its description contains only the platform.
public struct BootstrapDevice: Sendable, CustomStringConvertible, CustomReflectable {
    /// The app's id of the device.
    public let id: String
    /// The operating system, such as `ios`.
    public let platform: String
    /// The secret that the provider issued to the device; absent for a device that is new to the provider.
    public let secret: Secret?
    /// The access token of the user who is signed in on the device, for a provider that exchanges it.
    public let accessToken: String?

    /// Makes a device from the client's values.
    public init(id: String, platform: String, secret: Secret? = nil, accessToken: String? = nil) {
        self.id = id
        self.platform = platform
        self.secret = secret
        self.accessToken = accessToken
    }

    /// The device without the provider's secret, as if it were new.
    public var withoutSecret: BootstrapDevice {
        BootstrapDevice(id: id, platform: platform, accessToken: accessToken)
    }

    /// The platform; never the id, the secret or the token.
    public var description: String { "BootstrapDevice(\(platform))" }
    /// Empty: reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// A provider's verdict on a device.
public enum DeviceBootstrapAnswer: Sendable {
    /// The account of the device, with the secret that the provider issues to a device once.
    case signedIn(ExternalIdentity, secret: Secret?)
    /// The provider knows the device, and the secret is missing or wrong.
    case secretRefused
    /// The device belongs to another user of the provider.
    case claimedByAnotherUser
    /// The user or the device has asked too often; seconds until a retry, if the provider sent them.
    case rateLimited(retryAfter: Int?)
}
