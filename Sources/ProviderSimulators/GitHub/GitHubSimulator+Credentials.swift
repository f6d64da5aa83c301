extension GitHubSimulator {
    /// The authorization code that a user's browser would bring to the callback after consent.
    ///
    /// - Parameters:
    ///   - person: The user who consents.
    ///   - application: The client.
    ///   - redirectURI: As the authorization request would have named it; `nil` for the registered callback.
    ///   - scopes: The granted scopes; ignored for GitHub Apps.
    ///   - codeChallenge: The S256 challenge, when the client uses PKCE.
    /// - Returns: A single-use code that lives ten minutes.
    public func authorizationCode(
        for person: Person, application: Application, redirectURI: String? = nil,
        scopes: [String] = ["read:user", "user:email"], codeChallenge: String? = nil
    ) -> String {
        core.withState { state in
            let request = SimulatedAuthorizationRequest(
                clientID: application.clientID, redirectURI: redirectURI, codeChallenge: codeChallenge)
            return state.issueCode(for: request, to: person.id, scopes: scopes)
        }
    }

    /// An access token as a native app would hold it after signing in by itself.
    ///
    /// As at GitHub, the eleventh token of one user, client and scope list revokes the oldest.
    public func accessToken(
        for person: Person, application: Application, scopes: [String] = ["read:user", "user:email"]
    ) -> String {
        core.withState { state in
            state.grantedToken(for: .init(clientID: application.clientID, personID: person.id), scopes: scopes).value
        }
    }

    /// Revokes an access token, as GitHub does when it finds one in a public repository.
    public func revoke(token: String) {
        core.withState { $0.tokens[token] = nil }
    }

    /// Revokes a user's grant to a client, as users can in their settings.
    public func revokeGrant(of person: Person, application: Application) {
        core.withState { $0.removeGrant(.init(clientID: application.clientID, personID: person.id)) }
    }

    /// The number of live tokens that a client has for a user.
    public func liveTokens(of person: Person, application: Application) -> Int {
        core.read { state in
            state.tokens.values.count {
                $0.grant == .init(clientID: application.clientID, personID: person.id) && $0.isLive(at: state.now)
            }
        }
    }

    /// Whether an access token is valid now.
    public func isLive(token: String) -> Bool {
        core.read { $0.tokens[token]?.isLive(at: $0.now) ?? false }
    }
}
