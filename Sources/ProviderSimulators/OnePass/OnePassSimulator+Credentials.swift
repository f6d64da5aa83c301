extension OnePassSimulator {
    /// The tokens of a native app after it signed a user in by itself.
    public struct Tokens: Sendable, Hashable {
        /// The signed access token, good for fifteen minutes.
        public let accessToken: String
        /// The refresh token.
        public let refreshToken: String
        /// The ID token; absent without the scope `openid`.
        public let idToken: String?
    }

    /// The scopes of every grant unless a test says otherwise.
    public static let usualScopes = ["openid", "profile:basic", "email"]

    /// The authorization code that a user's browser would bring to the callback after consent.
    ///
    /// - Parameters:
    ///   - person: The user who consents.
    ///   - application: The client.
    ///   - codeChallenge: The S256 challenge, which 1Pass insists on.
    ///   - nonce: The nonce for the ID token.
    ///   - redirectURI: As the authorization request would have named it; `nil` for the first registered one.
    ///   - scopes: The granted scopes.
    /// - Returns: A single-use code that lives ten minutes.
    public func authorizationCode(
        for person: Person, application: Application, codeChallenge: String, nonce: String? = nil,
        redirectURI: String? = nil, scopes: [String] = usualScopes
    ) -> String {
        let request = SimulatedAuthorizationRequest(
            clientID: application.clientID, redirectURI: redirectURI ?? application.redirectURIs.first,
            codeChallenge: codeChallenge, nonce: nonce)
        return core.withState { $0.issueCode(for: request, to: person.id, scopes: scopes) }
    }

    /// All tokens of a new sign-in.
    public func tokens(
        for person: Person, application: Application, nonce: String? = nil, scopes: [String] = usualScopes
    ) -> Tokens {
        let tokens = core.withState { state in
            state.signIn(person.id, to: application.clientID, scopes: scopes, nonce: nonce)
        }
        return Tokens(
            accessToken: tokens.accessToken, refreshToken: tokens.refreshToken ?? "", idToken: tokens.idToken)
    }

    /// A signed access token of a new sign-in.
    public func accessToken(
        for person: Person, application: Application, scopes: [String] = usualScopes
    ) -> String {
        tokens(for: person, application: application, scopes: scopes).accessToken
    }

    /// An ID token of a new sign-in.
    public func idToken(for person: Person, application: Application, nonce: String? = nil) -> String {
        tokens(for: person, application: application, nonce: nonce).idToken ?? ""
    }

    /// A key for calls below `/api/v1`, as the user's own app has one.
    public func personalKey(for person: Person, scopes: [String] = ["profile:basic", "profile:write"]) -> String {
        core.withState { $0.makePersonalKey(for: person.id, scopes: scopes) }
    }

    /// The one-time password that 1Pass would mail to the owner of an account that is to be merged.
    public func oneTimePassword(for person: Person) -> String {
        core.withState { $0.mergeCredentials.makePassword(for: person.id) }
    }

    /// Revokes an access or refresh token, with all tokens of the same sign-in.
    public func revoke(token: String, of application: Application) {
        core.withState { $0.revoke(token, of: application.clientID) }
    }

    /// Revokes a user's grant to a client, as users can in their settings.
    public func revokeGrant(of person: Person, application: Application) {
        core.withState { _ = $0.disconnect(application.clientID, from: person.id) }
        core.sendWaiting()
    }

    /// The secret that was issued to a device.
    public func deviceSecret(of deviceID: String) -> String? {
        core.read { $0.deviceKeys[deviceID]?.secret }
    }

    /// Forgets a device, whose next introduction is a first one.
    public func forgetDevice(_ deviceID: String) {
        core.withState { $0.deviceKeys[deviceID] = nil }
    }

    /// Makes the secret of a device invalid.
    public func replaceDeviceSecret(of deviceID: String) {
        core.withState { state in
            guard let known = state.deviceKeys[deviceID] else { return }
            state.deviceKeys[deviceID] = OnePassDeviceKey(
                id: known.id, personID: known.personID, secret: RandomText.hex(48))
        }
    }

    /// Whether an access token is valid at userinfo now.
    public func isLive(token: String) -> Bool {
        core.read { $0.accessToken(token) != nil }
    }
}
