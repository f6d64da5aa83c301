extension AppleSimulator {
    /// An endpoint that can be counted and made to fail.
    public enum Endpoint: String, Sendable, Hashable, CaseIterable {
        /// `/auth/authorize`, page and decision.
        case authorize
        /// `POST /auth/token`: codes, refresh tokens and migration tokens.
        case token
        /// `POST /auth/revoke`
        case revoke
        /// `POST /auth/usermigrationinfo`
        case migration
        /// `GET /auth/keys`
        case keys
        /// `GET /.well-known/openid-configuration`
        case discovery
    }
}
