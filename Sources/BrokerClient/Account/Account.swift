public import Foundation

/// The user's record at the broker.
public struct Account: Sendable {
    /// The user's id at the broker.
    public let userID: String
    /// The e-mail address.
    public let email: String?
    /// Whether the address was verified.
    public let isEmailVerified: Bool
    /// The display name.
    public let displayName: String?
    /// The picture.
    public let photoURL: URL?
    /// When the user was created.
    public let createdAt: Date?
    /// When the user signed in last.
    public let lastSignInAt: Date?
    /// The identities at providers; any of them signs the user in.
    public let identities: [AccountIdentity]

    /// The identity at `provider`, or `nil`.
    public func identity(at provider: ProviderID) -> AccountIdentity? { identities.first { $0.provider == provider } }
}

/// A user's identity at a provider.
public struct AccountIdentity: Sendable {
    /// The provider.
    public let provider: ProviderID
    /// The user's id there.
    public let subject: String
    /// The display name there.
    public let displayName: String?
    /// The e-mail address there.
    public let email: String?
    /// The picture there.
    public let photoURL: URL?
    /// The user name there, such as GitHub's login.
    public let screenName: String?
    /// The profile as the provider sent it, if the broker has one.
    public let profile: ProviderProfile?
}

/// A user's profile in the form of its provider.
public struct ProviderProfile: Sendable, Hashable {
    /// The profile as JSON.
    public let json: String

    /// - Parameter json: The profile as JSON.
    public init(json: String) { self.json = json }

    /// Decodes the profile.
    ///
    /// - Parameter type: The type to decode.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }
}

/// An attribute that ``BrokerAuth/updateAccount(displayName:photoURL:removing:)`` can remove.
public enum AccountAttribute: String, Sendable, Hashable, CaseIterable {
    /// The display name.
    case displayName = "DISPLAY_NAME"
    /// The picture.
    case photoURL = "PHOTO_URL"
}

/// A session of the user, on this or another device.
public struct AccountSession: Sendable, Hashable {
    /// The session's id.
    public let id: String
    /// The client it belongs to, if any.
    public let clientID: String?
    /// The provider of its sign-in.
    public let signInProvider: ProviderID?
    /// When it began.
    public let createdAt: Date?
    /// When it was used last.
    public let lastUsedAt: Date?
    /// The `User-Agent` of its last use.
    public let userAgent: String?
    /// Whether it is the session of this app.
    public let isCurrent: Bool
}

/// The withdrawal of a provider's grant after an account was deleted or an identity unlinked.
///
/// It contains no secret, and an app may store it to ask later: ``BrokerAuth/outcome(of:)``.
public struct Withdrawal: Sendable, Hashable, Codable {
    /// The provider.
    public let provider: ProviderID
    /// The state at the time of the answer: `queued` and `parked` are to come, `done` is withdrawn, `dead` and `dropped` have
    /// ended without it, and for `nothingStored` and `notSupported` there is nothing that the broker could do.
    public let state: String
    /// The id by which the outcome is asked for, and by which administrators find it.
    public let receipt: String?

    /// - Parameters:
    ///   - provider: The provider.
    ///   - state: The state at the time of the answer.
    ///   - receipt: The id by which the broker's administrators find it.
    public init(provider: ProviderID, state: String, receipt: String? = nil) {
        self.provider = provider
        self.state = state
        self.receipt = receipt
    }
}

/// A provider's access token.
public struct ProviderToken: Sendable, Hashable {
    /// The provider.
    public let provider: ProviderID
    /// The token: a secret.
    public let accessToken: String
    /// The scopes it was granted.
    public let scopes: [String]
    /// When it expires, if it does.
    public let expiresAt: Date?

    /// - Parameters:
    ///   - provider: The provider.
    ///   - accessToken: The token.
    ///   - scopes: The scopes it was granted.
    ///   - expiresAt: When it expires.
    public init(provider: ProviderID, accessToken: String, scopes: [String] = [], expiresAt: Date? = nil) {
        self.provider = provider
        self.accessToken = accessToken
        self.scopes = scopes
        self.expiresAt = expiresAt
    }
}

extension ProviderToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The provider, and nothing of the token.
    public var description: String { "ProviderToken(\(provider), <redacted>)" }
    /// The provider, and nothing of the token.
    public var debugDescription: String { description }
    /// The provider, and nothing of the token.
    public var customMirror: Mirror { Mirror(self, children: ["provider": provider, "scopes": scopes]) }
}
