/// The broker as authorization server and OpenID Provider, behind the browser's back.
struct OAuthRoutes: Sendable {
    let openID: OpenIDContext

    /// The grants of the token endpoint.
    static let grants: [any TokenGrant.Type] = [
        AuthorizationCodeGrant.self, RefreshTokenGrant.self, DeviceCodeGrant.self, TokenExchangeGrant.self,
        MergeTokenGrant.self,
    ]

    private var grants: [any TokenGrant] { Self.grants.map { $0.init(openID: openID) } }

    /// To be called last: the discovery document names what is there.
    func add(to routes: Routes) {
        PushedRequestRoutes(openID: openID).add(to: routes)
        AppAuthorizationRoutes(openID: openID).add(to: routes)
        OAuthTokenRoutes(openID: openID, grants: grants).add(to: routes)
        UserInfoRoutes(openID: openID).add(to: routes)
        DiscoveryRoutes(
            issuer: openID.issuer, keys: openID.sessions.openIDSigningKeys, grants: grants,
            acrValues: openID.policy.stepUp.map(\.acr)
        ).add(to: routes)
    }
}
