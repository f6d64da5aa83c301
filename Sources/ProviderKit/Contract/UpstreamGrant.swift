public import Foundation

/// The tokens a provider issued to our client for one person (RFC 6749 §5.1).
///
/// Never printed whole: its description names the client only.
public struct UpstreamGrant: Sendable, CustomStringConvertible, CustomReflectable {
    /// The client the tokens were issued to; refreshing and withdrawing need the same one.
    public let clientID: String
    public let accessToken: String
    public let refreshToken: String?
    /// The ID token that came with them, for clients that ask for the provider's tokens back.
    public let idToken: String?
    public let scopes: [String]
    /// When the access token dies; absent when the provider names no end.
    public let expiresAt: Date?

    public init(
        clientID: String, accessToken: String, refreshToken: String? = nil, idToken: String? = nil,
        scopes: [String] = [], expiresAt: Date? = nil
    ) {
        self.clientID = clientID
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.idToken = idToken
        self.scopes = scopes
        self.expiresAt = expiresAt
    }

    public var description: String { "UpstreamGrant(client \(clientID))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
