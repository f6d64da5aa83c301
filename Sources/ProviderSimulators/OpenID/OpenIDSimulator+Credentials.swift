import Foundation

extension OpenIDSimulator {
    /// What every request is granted unless a test says otherwise.
    public static let standardScopes = ["openid", "email", "profile"]

    /// What a person's browser would bring to the callback after they consented.
    ///
    /// - Parameters:
    ///   - person: Who consents.
    ///   - application: Which client they let in.
    ///   - redirectURI: As the authorization request would have named it; the registered one when `nil`.
    ///   - scopes: What the person grants.
    ///   - codeChallenge: The S256 challenge, when the client uses PKCE.
    ///   - nonce: What the request would have asked the ID token to repeat.
    /// - Returns: A code that lives one minute and can be redeemed once.
    public func authorizationCode(
        for person: Person, application: Application, redirectURI: String? = nil,
        scopes: [String] = OpenIDSimulator.standardScopes, codeChallenge: String? = nil, nonce: String? = nil
    ) -> String {
        core.withState { state in
            state.makeCode(
                OpenIDCode(
                    clientID: application.clientID, subject: person.subject,
                    redirectURI: redirectURI ?? application.redirectURIs.first ?? "", scopes: scopes,
                    codeChallenge: codeChallenge.map { CodeChallenge(value: $0) }, nonce: nonce,
                    expiresAt: clock.now.addingTimeInterval(OpenIDCode.lifetime)), now: clock.now)
        }
    }

    /// An access token as an app would hold it after signing in by itself.
    public func accessToken(
        for person: Person, application: Application, scopes: [String] = OpenIDSimulator.standardScopes
    ) -> String {
        core.withState { state in
            state.issue(
                OpenIDGrant(clientID: application.clientID, subject: person.subject, scopes: scopes), now: clock.now
            ).accessToken
        }
    }

    /// An ID token as a native SDK would hold it.
    ///
    /// - Parameters:
    ///   - person: Whom it is about.
    ///   - application: Whom it is for.
    ///   - nonce: What its `nonce` says, already hashed where the SDK would hash it.
    ///   - accessToken: The access token it names in `at_hash`.
    /// - Returns: The token, an hour before its end, honest or as ``forgery`` wants it.
    public func idToken(
        for person: Person, application: Application, nonce: String? = nil, accessToken: String? = nil
    ) -> String {
        core.idToken(
            for: person, clientID: application.clientID, nonce: nonce, accessToken: accessToken)
    }

    /// Whether an access token works now.
    public func isLive(token: String) -> Bool {
        core.snapshot.grant(ofAccessToken: token, now: clock.now) != nil
    }

    /// Lets in the device that shows `userCode`, as the person would on the device page.
    ///
    /// - Returns: `false` when no device waits for this code.
    @discardableResult
    public func approveDevice(userCode: String, for person: Person) -> Bool {
        core.withState { state in
            let scopes = state.devices.waiting(userCode: userCode, now: clock.now)?.scopes ?? []
            return state.devices.decide(
                userCode: userCode, .approved(personID: person.subject, scopes: scopes), now: clock.now)
        }
    }

    /// Turns away the device that shows `userCode`.
    ///
    /// - Returns: `false` when no device waits for this code.
    @discardableResult
    public func denyDevice(userCode: String) -> Bool {
        core.withState { $0.devices.decide(userCode: userCode, .denied, now: clock.now) }
    }
}
