extension BrokerCore {
    /// The creation of users, for administrators.
    package var createUser: CreateUser { CreateUser(store: store, now: now) }

    /// The search for users, for administrators.
    package var findUsers: FindUsers { FindUsers(store: store, providers: providerConfiguration) }

    /// The methods of Identity Toolkit that read and change users: an app's own one, and any for backends.
    func addUserRoutes(to routes: Routes) {
        UserRoutes(
            callers: callers, signUpAnonymously: signUpAnonymously, create: createUser, lookup: lookup, find: findUsers
        ).add(to: routes)
        UpdateRoutes(callers: callers, lookup: lookup, update: updateAccount, delete: deleteAccount).add(to: routes)
        BatchRoutes(
            callers: callers, batches: userBatches, importUsers: importUsers, now: now
        ).add(to: routes)
        SessionCookieRoutes(callers: callers, cookies: sessionCookies).add(to: routes)
    }

    /// The creation of session cookies, for backends.
    package var sessionCookies: SessionCookies {
        SessionCookies(verifier: lookup.verifier, tokens: tokens, store: store, now: now)
    }

    /// Tokens of OAuth clients for what native apps have.
    var tokenExchange: TokenExchangeGrant {
        TokenExchangeGrant(
            verifier: openID.verifier, verify: verify, signIn: signIn, link: link,
            signUpAnonymously: signUpAnonymously, policy: configuration.policy, tokens: openID.tokens, now: now)
    }

    /// The user's own account, for OAuth clients.
    func addAccountRoutes(to routes: Routes) {
        let callers = AccountCallers(
            verifier: openID.verifier, clients: openID.clients, policy: configuration.policy, now: now)
        OwnAccountRoutes(callers: callers, update: updateAccount, delete: deleteAccount).add(to: routes)
        OwnProviderRoutes(callers: callers, update: updateAccount, read: readProviderToken).add(to: routes)
        OwnSessionRoutes(callers: callers, list: listSessions, signOut: signOut).add(to: routes)
    }
}
