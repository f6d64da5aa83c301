public import Foundation

/// The tokens a provider issued to our client for one person (RFC 6749 §5.1).
///
/// Never printed whole: its description names the client only.
public struct UpstreamGrant: Sendable, CustomStringConvertible, CustomReflectable {
    /// The client the tokens were issued to; refreshing and withdrawing need the same one.
    public let clientID: String
    /// The token API calls carry (RFC 6749 §1.4).
    public let accessToken: String
    /// The token new ones are got with (RFC 6749 §1.5); absent when the provider issues none.
    public let refreshToken: String?
    /// The ID token that came with them, for clients that ask for the provider's tokens back.
    public let idToken: String?
    /// What the person agreed to, which may be less than was asked for.
    public let scopes: [String]
    /// When the access token dies; absent when the provider names no end.
    public let expiresAt: Date?

    /// Tokens as the provider issued them.
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

    /// The client; never a token.
    public var description: String { "UpstreamGrant(client \(clientID))" }
    /// Nothing: reflection shows no token.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
