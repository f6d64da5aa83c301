public import Foundation
public import StrictJSON

/// The signed-in user, as the last verified ID token describes them.
public struct AuthSession: Sendable, Hashable {
    /// The user's id at the broker (`sub`). The key of the app's data: e-mail addresses change.
    public let userID: String
    /// The e-mail address, with the scope `email`.
    public let email: String?
    /// Whether the address was verified by the provider or the broker.
    public let isEmailVerified: Bool
    /// The display name, with the scope `profile`.
    public let name: String?
    /// The picture, with the scope `profile`.
    public let pictureURL: URL?
    /// When the user authenticated (`auth_time`).
    public let authTime: Date?
    /// The session's id at the broker (`sid`), as in ``AccountSession/id``.
    public let sessionID: String?
    /// The provider of the sign-in; nil for an anonymous user and for a custom token.
    public let signInProvider: ProviderID?
    /// Whether the user has no identity at a provider.
    public let isAnonymous: Bool
    /// All claims of the ID token, custom claims included (Docs/Tokens.md). For what the app shows: a backend decides by
    /// its own verification.
    public let claims: JSONObject

    /// - Parameters:
    ///   - userID: The user's id at the broker.
    ///   - email: The e-mail address.
    ///   - isEmailVerified: Whether the address was verified.
    ///   - name: The display name.
    ///   - pictureURL: The picture.
    ///   - authTime: When the user authenticated.
    ///   - sessionID: The session's id at the broker.
    ///   - signInProvider: The provider of the sign-in.
    ///   - isAnonymous: Whether the user has no identity at a provider.
    ///   - claims: All claims of the ID token.
    public init(
        userID: String, email: String? = nil, isEmailVerified: Bool = false, name: String? = nil,
        pictureURL: URL? = nil, authTime: Date? = nil, sessionID: String? = nil, signInProvider: ProviderID? = nil,
        isAnonymous: Bool = false, claims: JSONObject = [:]
    ) {
        self.userID = userID
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.name = name
        self.pictureURL = pictureURL
        self.authTime = authTime
        self.sessionID = sessionID
        self.signInProvider = signInProvider
        self.isAnonymous = isAnonymous
        self.claims = claims
    }

    /// Hashes the user, the session and its login.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(userID)
        hasher.combine(sessionID)
        hasher.combine(authTime)
    }
}
