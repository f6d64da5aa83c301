extension OnePassSimulator {
    /// An endpoint that can be counted and made to fail.
    public enum Endpoint: String, Sendable, Hashable, CaseIterable {
        /// `GET /.well-known/openid-configuration`
        case discovery
        /// `GET /.well-known/jwks.json`
        case keys
        /// `/oauth/authorize`, page and decision.
        case authorize
        /// `POST /oauth/token`: code, refresh and device grants.
        case token
        /// `GET /oauth/userinfo` and `GET /api/v1/oauth/userinfo`
        case userinfo
        /// `POST /oauth/revoke`
        case revoke
        /// `POST /oauth/device_authorization`
        case deviceAuthorization
        /// `/oauth/device`, page and decision.
        case devicePage
        /// `GET /api/v1/events`
        case events
        /// `POST /api/v1/me/merge`
        case merge
        /// `POST /api/v1/me/merge/session-token`
        case mergeSessionToken
        /// `DELETE /api/v1/me/connected_apps/{client_id}`
        case connectedApplications
        /// `POST /api/v1/devices`
        case devices
        /// `POST /api/v1/auth/anonymous_bootstrap`
        case anonymousBootstrap
        /// `POST /api/v1/me/device_keys/exchange`
        case deviceKeyExchange
    }
}
