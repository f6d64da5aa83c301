import Foundation

/// The broker as authorization server and OpenID Provider, behind the browser's back.
struct OAuthRoutes: Sendable {
    let openID: OpenIDProvider
    let link: LinkForClient
    let push: PushAuthorizationRequest
    let stepUp: [StepUpRule]
    let readProviderToken: ReadProviderToken
    let now: @Sendable () -> Date
    /// Ways to get tokens besides codes and refresh tokens.
    var furtherGrants: [any TokenGrant] = []

    private var grants: [any TokenGrant] {
        [
            AuthorizationCodeGrant(redeem: openID.redeemCode, link: link, tokens: openID.tokens, now: now),
            RefreshTokenGrant(refresh: openID.refresh),
        ] + furtherGrants
    }

    /// To be called last: the discovery document names what is there.
    func add(to routes: Routes) {
        let requests = OAuthRequests(authenticate: openID.authenticate) { [tokens = openID.tokens] parameters in
            parameters["actor_token"] != nil
                || parameters["refresh_token"].map { tokens.refreshTokens.decode($0) != nil } ?? false
        }
        PushedRequestRoutes(requests: requests, push: push).add(to: routes)
        OAuthTokenRoutes(
            requests: requests, grants: grants, revoke: openID.revoke, readProviderToken: readProviderToken
        ).add(to: routes)
        UserInfoRoutes(verifier: openID.verifier, stepUp: stepUp, now: now).add(to: routes)
        DiscoveryRoutes(
            issuer: openID.issuer, keys: openID.signingKeys, grants: grants, acrValues: stepUp.map(\.acr)
        ).add(to: routes)
    }
}
