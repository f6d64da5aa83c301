/// The id of an identity provider in the broker's configuration.
public struct AuthProviderID: Sendable, Hashable {
    /// The id, such as `github.com`.
    public let rawValue: String

    /// Sign in with Apple.
    public static let apple = AuthProviderID(rawValue: "apple.com")
    /// GitHub.
    public static let gitHub = AuthProviderID(rawValue: "github.com")
    /// Google, where the broker has an entry of this id.
    public static let google = AuthProviderID(rawValue: "google.com")
    /// Facebook, where the broker has an entry of this id.
    public static let facebook = AuthProviderID(rawValue: "facebook.com")

    /// Any other entry of the broker, such as `gitlab.com`, `1pass.dev` or `oidc.keycloak`.
    ///
    /// - Parameter value: Its id.
    /// - Returns: The id.
    public static func custom(_ value: String) -> AuthProviderID { AuthProviderID(rawValue: value) }
}
