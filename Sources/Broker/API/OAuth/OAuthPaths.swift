/// Where the broker as OpenID Provider is, below its public URL.
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
    static let deviceAuthorization = "/oauth/device_authorization"

    /// Public documents: any page may read them.
    static let open: Set<String> = [discovery, metadata, keys]
    /// What apps call that run in browsers.
    static let calledByPages: Set<String> = [token, userInfo, revocation, pushedAuthorization]
}
