extension OpenIDSimulator {
    /// An endpoint that can be counted and made to fail.
    public enum Endpoint: String, Sendable, Hashable, CaseIterable {
        /// `GET /.well-known/openid-configuration`
        case discovery
        /// `GET /keys`
        case keys
        /// `/authorize`, page and decision.
        case authorize
        /// `POST /token`: code, refresh and device grants.
        case token
        /// `GET /userinfo`
        case userinfo
        /// `POST /revoke`
        case revoke
        /// `POST /device_authorization`
        case deviceAuthorization
        /// `/device`, page and decision.
        case devicePage

        /// The endpoint's path.
        var path: String {
            switch self {
            case .discovery: "/.well-known/openid-configuration"
            case .keys: "/keys"
            case .authorize: "/authorize"
            case .token: "/token"
            case .userinfo: "/userinfo"
            case .revoke: "/revoke"
            case .deviceAuthorization: "/device_authorization"
            case .devicePage: "/device"
            }
        }
    }
}
