import ProviderKit

/// The paths of the broker as OpenID Provider, below its public URL.
enum OAuthPaths {
    static let discovery = "/.well-known/openid-configuration"
    /// The same document under the name of RFC 8414.
    static let metadata = "/.well-known/oauth-authorization-server"
    static let keys = "/oauth/jwks"
    static let authorization = "/oauth/authorize"
    static let pushedAuthorization = "/oauth/par"
    static let token = "/oauth/token"
    static let userInfo = "/oauth/userinfo"
    static let revocation = "/oauth/revoke"
    static let introspection = "/oauth/introspect"
    static let logout = "/oauth/logout"
    /// The page on which users enter a device's code.
    static let devicePage = "/device"
    static let deviceAuthorization = "/oauth/device_authorization"
    static let appAuthorization = "/oauth/app_authorization"
    /// The user's own account, for access tokens with the scope `account`.
    static let account = "/v1/broker/me"
    /// The outcomes of withdrawals, for who has a receipt.
    static let withdrawals = "/v1/broker/withdrawals"

    /// The page with a code filled in.
    static func devicePage(showing userCode: String) -> String {
        "\(devicePage)?\(FormEncoding.encode([("user_code", userCode)]))"
    }
}
