extension GitHubSimulator {
    /// An endpoint that can be counted and made to fail.
    public enum Endpoint: String, Sendable, Hashable, CaseIterable {
        /// `/login/oauth/authorize`, page and decision.
        case authorize
        /// `POST /login/oauth/access_token`: code, refresh and device grants.
        case accessToken
        /// `POST /login/device/code`
        case deviceCode
        /// `/login/device`, page and decision.
        case devicePage
        /// `GET /user`
        case user
        /// `GET /user/emails`
        case emails
        /// `GET /user/public_emails`
        case publicEmails
        /// `POST /applications/{client_id}/token`
        case checkToken
        /// `PATCH /applications/{client_id}/token`
        case resetToken
        /// `DELETE /applications/{client_id}/token`
        case deleteToken
        /// `DELETE /applications/{client_id}/grant`
        case deleteGrant
        /// `GET /.well-known/oauth-authorization-server/login/oauth`
        case metadata
    }
}
