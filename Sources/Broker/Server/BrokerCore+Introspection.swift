extension BrokerCore {
    /// The introspection endpoint. To be called before the discovery document is made.
    func addIntrospection(to routes: Routes) {
        let verifier = lookup.verifier
        IntrospectionRoutes(
            requests: OAuthRequests(authenticate: openID.authenticate), introspectOwn: openID.introspect,
            introspectSent: IntrospectUserToken(
                accessTokens: openID.introspect, idTokens: verifier, sessionCookies: verifier.forSessionCookies,
                now: now),
            callers: callers
        ).add(to: routes)
    }
}
