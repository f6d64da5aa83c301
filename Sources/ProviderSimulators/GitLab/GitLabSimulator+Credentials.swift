import ProviderKit
import ProviderKitTesting

extension GitLabSimulator {
    /// The authorization code that a user's browser would bring to the callback after consent.
    ///
    /// - Parameters:
    ///   - person: The user who consents.
    ///   - application: The client.
    ///   - codeChallenge: The S256 challenge, when the client uses PKCE.
    ///   - nonce: The nonce the ID token is to repeat.
    ///   - redirectURI: As the authorization request would have named it; `nil` for the first registered one.
    ///   - scopes: The granted scopes; `nil` for everything the registration has.
    /// - Returns: A single-use code that lives ten minutes.
    public func authorizationCode(
        for person: Person, application: Application, codeChallenge: String? = nil, nonce: String? = nil,
        redirectURI: String? = nil, scopes: [String]? = nil
    ) -> String {
        let request = SimulatedAuthorizationRequest(
            clientID: application.clientID, redirectURI: redirectURI ?? application.redirectURIs.first,
            codeChallenge: codeChallenge, nonce: nonce)
        return core.withState { $0.issueCode(for: request, to: person.id, scopes: scopes ?? application.scopes) }
    }

    /// An access token as a native app would hold it after signing in by itself.
    public func accessToken(
        for person: Person, application: Application, scopes: [String]? = nil
    ) -> String {
        core.withState { $0.grantedToken(for: person, application, scopes: scopes).value }
    }

    /// An ID token as a native app would hold it after signing in by itself.
    public func idToken(
        for person: Person, application: Application, nonce: String? = nil, scopes: [String]? = nil
    ) -> String {
        core.withState { state in
            state.idToken(for: state.grantedToken(for: person, application, scopes: scopes), nonce: nonce) ?? ""
        }
    }

    /// A personal access token, which belongs to no client.
    public func personalAccessToken(for person: Person) -> String {
        let value = "glpat-" + RandomText.alphanumeric(20)
        core.withState { $0.personalTokens[value] = person.id }
        return value
    }

    /// The token of a CI job of the installation: same issuer, same key document, an audience that its author chose.
    ///
    /// - Parameters:
    ///   - audience: The `aud` claim, as the job's configuration says.
    ///   - person: The user who started the job, named in `user_id` and nowhere else.
    /// - Returns: A token that lives an hour and is no ID token.
    public func jobToken(audience: String, startedBy person: Person) -> String {
        let now = clock.now
        let issued = now.epochSeconds
        let claims: JSONObject = [
            "iss": .string(url), "aud": .string(audience),
            "sub": "project_path:examples/engine:ref_type:branch:ref:main", "iat": .integer(issued),
            "nbf": .integer(issued - 5), "exp": .integer(issued + 3600), "jti": .string(RandomText.hex(32)),
            "user_id": .string(String(person.id)), "user_login": .string(person.username),
            "user_email": .string(person.email), "project_path": "examples/engine", "job_id": "1",
            "pipeline_source": "push", "ref": "main", "ref_type": "branch",
        ]
        return core.read { $0.jobMint.keys.token(claims, now: now) }
    }

    /// Revokes a token, access and refresh half, as an administrator can.
    public func revoke(token: String) {
        core.withState { state in
            if let value = state.token(holding: token)?.value { state.tokens[value]?.isRevoked = true }
        }
    }

    /// Revokes a user's grant to a client, as users can in their settings.
    public func revokeGrant(of person: Person, application: Application) {
        core.withState { $0.removeGrant(.init(clientID: application.clientID, personID: person.id)) }
    }

    /// Whether an access token is valid now.
    public func isLive(token: String) -> Bool {
        core.read { $0.tokens[token]?.isLive(at: $0.now) ?? false }
    }
}
