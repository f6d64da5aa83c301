extension GitLabSimulator {
    /// An endpoint that can be counted and made to fail.
    public enum Endpoint: String, Sendable, Hashable, CaseIterable {
        /// `/oauth/authorize`, page and decision.
        case authorize
        /// `POST /oauth/token`: code, refresh and device grants.
        case token
        /// `POST /oauth/revoke`
        case revoke
        /// `POST /oauth/introspect`
        case introspect
        /// `GET /oauth/token/info`
        case tokenInfo
        /// `/oauth/userinfo`
        case userinfo
        /// `GET /oauth/discovery/keys`
        case keys
        /// `GET /.well-known/openid-configuration` and its copy for OAuth clients.
        case discovery
        /// `POST /oauth/authorize_device`
        case deviceCode
        /// `/oauth/device`, page and decision.
        case devicePage
        /// `GET /api/v4/user`
        case user
        /// `GET /api/v4/user/emails`
        case emails
    }
}
