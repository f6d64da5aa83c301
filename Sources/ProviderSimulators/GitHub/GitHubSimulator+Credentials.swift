extension GitHubSimulator {
    /// What a person's browser would bring to the callback after they consented.
    ///
    /// - Parameters:
    ///   - person: Who consents.
    ///   - application: Which client they let in.
    ///   - redirectURI: As the authorization request would have named it; `nil` for the registered callback.
    ///   - scopes: What the person grants; ignored for GitHub Apps.
    ///   - codeChallenge: The S256 challenge, when the client uses PKCE.
    /// - Returns: A code that lives ten minutes and can be redeemed once.
    public func authorizationCode(
        for person: Person, application: Application, redirectURI: String? = nil,
        scopes: [String] = ["read:user", "user:email"], codeChallenge: String? = nil
    ) -> String {
        core.withState { state in
            state.makeCode(
                .init(clientID: application.clientID, personID: person.id), redirectURI: redirectURI, scopes: scopes,
                codeChallenge: codeChallenge, now: clock.now)
        }
    }

    /// An access token as a native app would hold it after signing in by itself.
    ///
    /// As at GitHub, the eleventh token of one person, application and scope list ends the oldest.
    public func accessToken(
        for person: Person, application: Application, scopes: [String] = ["read:user", "user:email"]
    ) -> String {
        core.withState { state in
            let key = GitHubState.GrantKey(clientID: application.clientID, personID: person.id)
            let granted = application.kind == .oauthApp ? GitHubScopes.normalised(scopes) : []
            state.grant(granted, to: key)
            return state.issueToken(for: key, scopes: granted, now: clock.now).value
        }
    }

    /// Ends an access token, as GitHub does when it finds one in a public repository.
    public func revoke(token: String) {
        core.withState { $0.tokens[token] = nil }
    }

    /// Ends everything a person granted an application, as they can in their settings.
    public func revokeGrant(of person: Person, application: Application) {
        core.withState { $0.removeGrant(.init(clientID: application.clientID, personID: person.id)) }
    }

    /// Whether an access token works now.
    public func isLive(token: String) -> Bool {
        core.snapshot.tokens[token]?.isLive(at: clock.now) ?? false
    }

    /// Lets in the device that shows `userCode`, as the person would on the device page.
    ///
    /// - Returns: `false` when no device waits for this code.
    @discardableResult
    public func approveDevice(userCode: String, for person: Person) -> Bool {
        core.withState { state in
            let scopes = state.devices.waiting(userCode: userCode, now: clock.now)?.scopes ?? []
            return state.decideDevice(
                userCode: userCode, .approved(personID: person.id, scopes: scopes), now: clock.now)
        }
    }

    /// Turns away the device that shows `userCode`.
    ///
    /// - Returns: `false` when no device waits for this code.
    @discardableResult
    public func denyDevice(userCode: String) -> Bool {
        core.withState { $0.decideDevice(userCode: userCode, .denied, now: clock.now) }
    }
}
