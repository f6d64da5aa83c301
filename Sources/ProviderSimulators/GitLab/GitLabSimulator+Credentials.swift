import ProviderKit
import ProviderKitTesting

extension GitLabSimulator {
    /// What a person's browser would bring to the callback after they consented.
    ///
    /// - Parameters:
    ///   - person: Who consents.
    ///   - application: Which client they let in.
    ///   - codeChallenge: The S256 challenge, when the client uses PKCE.
    ///   - nonce: The nonce the ID token is to repeat.
    ///   - redirectURI: As the authorization request would have named it; `nil` for the first registered one.
    ///   - scopes: What is granted; `nil` for everything the registration has.
    /// - Returns: A code that lives ten minutes and can be redeemed once.
    public func authorizationCode(
        for person: Person, application: Application, codeChallenge: String? = nil, nonce: String? = nil,
        redirectURI: String? = nil, scopes: [String]? = nil
    ) -> String {
        core.withState { state in
            state.makeCode(
                .init(clientID: application.clientID, personID: person.id),
                redirectURI: redirectURI ?? application.redirectURIs.first ?? "", scopes: scopes ?? application.scopes,
                nonce: nonce, codeChallenge: codeChallenge.map { CodeChallenge(value: $0) }, now: clock.now)
        }
    }

    /// An access token as a native app would hold it after signing in by itself.
    public func accessToken(
        for person: Person, application: Application, scopes: [String]? = nil
    ) -> String {
        token(for: person, application, scopes).value
    }

    /// An ID token as a native app would hold it after signing in by itself.
    public func idToken(
        for person: Person, application: Application, nonce: String? = nil, scopes: [String]? = nil
    ) -> String {
        let token = token(for: person, application, scopes)
        return core.idToken(for: token, nonce: nonce, in: core.snapshot) ?? ""
    }

    /// A token of a person's own making, which belongs to no application.
    public func personalAccessToken(for person: Person) -> String {
        let value = "glpat-" + RandomText.alphanumeric(20)
        core.withState { $0.personalTokens[value] = person.id }
        return value
    }

    /// What a CI job of the installation holds: same issuer, same key document, an audience its author chose.
    ///
    /// - Parameters:
    ///   - audience: Whom it is made out to, as the job's configuration says.
    ///   - person: Who started the job; names them in `user_id` and nowhere else.
    /// - Returns: A token that lives an hour and is no ID token.
    public func jobToken(audience: String, startedBy person: Person) -> String {
        let now = clock.now.epochSeconds
        let claims: JSONObject = [
            "iss": .string(url), "aud": .string(audience),
            "sub": "project_path:examples/engine:ref_type:branch:ref:main", "iat": .integer(now),
            "nbf": .integer(now - 5), "exp": .integer(now + 3600), "jti": .string(RandomText.hex(32)),
            "user_id": .string(String(person.id)), "user_login": .string(person.username),
            "user_email": .string(person.email), "project_path": "examples/engine", "job_id": "1",
            "pipeline_source": "push", "ref": "main", "ref_type": "branch",
        ]
        return core.jobKeys.token(claims, now: clock.now)
    }

    /// Ends a token, access and refresh half, as an administrator can.
    public func revoke(token: String) {
        core.withState { state in
            if let value = state.token(holding: token)?.value { state.tokens[value]?.isRevoked = true }
        }
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

    private func token(for person: Person, _ application: Application, _ scopes: [String]?) -> GitLabToken {
        core.withState { state in
            let key = GitLabState.GrantKey(clientID: application.clientID, personID: person.id)
            let scopes = scopes ?? application.scopes
            state.grant(scopes, to: key)
            return state.issueToken(for: key, scopes: scopes, now: clock.now)
        }
    }
}
