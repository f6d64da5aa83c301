public import Foundation

/// The tokens that a provider issued to our client for one user (RFC 6749 §5.1).
///
/// Its description contains only the client.
public struct UpstreamGrant: Sendable, CustomStringConvertible, CustomReflectable {
    /// The client that the tokens were issued to; refresh and revocation need the same one.
    public let clientID: String
    /// The access token (RFC 6749 §1.4).
    public let accessToken: String
    /// The refresh token (RFC 6749 §1.5); absent when the provider issues none.
    public let refreshToken: String?
    /// The ID token, for clients that request the provider's tokens.
    public let idToken: String?
    /// The granted scopes, which may be fewer than requested.
    public let scopes: [String]
    /// The expiration of the access token; absent when the provider sends none.
    public let expiresAt: Date?

    /// Makes a grant from the provider's tokens.
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
    /// Empty: reflection shows no token.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
