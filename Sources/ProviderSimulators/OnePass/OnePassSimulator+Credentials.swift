import Foundation

extension OnePassSimulator {
    /// What a native app holds after it signed a person in by itself.
    public struct Tokens: Sendable, Hashable {
        /// The signed access token, good for fifteen minutes.
        public let accessToken: String
        /// What new tokens are got with.
        public let refreshToken: String
        /// The ID token; absent without the scope `openid`.
        public let idToken: String?
    }

    /// What applications ask for unless they say otherwise.
    public static let usualScopes = ["openid", "profile:basic", "email"]

    /// What a person's browser would bring to the callback after they consented.
    ///
    /// - Parameters:
    ///   - person: Who consents.
    ///   - application: Which client they let in.
    ///   - codeChallenge: The S256 challenge, which 1Pass insists on.
    ///   - nonce: What the ID token has to repeat.
    ///   - redirectURI: As the authorization request would have named it; `nil` for the first registered one.
    ///   - scopes: What the person grants.
    /// - Returns: A code that lives ten minutes and can be redeemed once.
    public func authorizationCode(
        for person: Person, application: Application, codeChallenge: String, nonce: String? = nil,
        redirectURI: String? = nil, scopes: [String] = usualScopes
    ) -> String {
        core.withState { state in
            state.makeCode(
                for: person.id, scopes: scopes,
                answering: .direct(
                    application, codeChallenge: codeChallenge, nonce: nonce, redirectURI: redirectURI, now: clock.now),
                now: clock.now)
        }
    }

    /// All tokens of a new sign-in.
    public func tokens(
        for person: Person, application: Application, nonce: String? = nil, scopes: [String] = usualScopes
    ) -> Tokens {
        let tokens = core.withState { state in
            let key = state.grant(scopes, of: person.id, to: application.clientID)
            return state.issueTokens(
                for: key, scopes: scopes, nonce: nonce, family: RandomText.hex(16), now: clock.now)
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

    /// A key for calls below `/api/v1`, as the person's own app has one.
    public func personalKey(for person: Person, scopes: [String] = ["profile:basic", "profile:write"]) -> String {
        core.withState { $0.makePersonalKey(for: person.id, scopes: scopes, now: clock.now) }
    }

    /// The code 1Pass would mail to the owner of an account that is to be merged.
    public func oneTimePassword(for person: Person) -> String {
        core.withState { $0.mergeCredentials.makePassword(for: person.id) }
    }

    /// Ends an access or refresh token, with all that came from the same sign-in.
    public func revoke(token: String, of application: Application) {
        core.withState { $0.revoke(token, of: application.clientID) }
    }

    /// Ends everything a person granted an application, as they can in their settings.
    public func revokeGrant(of person: Person, application: Application) {
        core.withState { _ = $0.disconnect(application.clientID, from: person.id, now: clock.now) }
        core.sendWaiting()
    }

    /// Whether userinfo answers to an access token now.
    public func isLive(token: String) -> Bool {
        core.snapshot.accessToken(token, now: clock.now) != nil
    }

    /// Lets in the device that shows `userCode`, as the person would on the device page.
    ///
    /// - Returns: `false` when no device waits for this code.
    @discardableResult
    public func approveDevice(userCode: String, for person: Person) -> Bool {
        core.withState { state in
            let scopes = state.devices.waiting(userCode: userCode, now: clock.now)?.scopes ?? []
            return state.devices.decide(
                userCode: userCode, .approved(personID: person.id, scopes: scopes), now: clock.now)
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

extension OnePassAuthorization {
    /// What stands behind a code nobody was asked for.
    fileprivate static func direct(
        _ application: OnePassSimulator.Application, codeChallenge: String, nonce: String?, redirectURI: String?,
        now: Date
    ) -> OnePassAuthorization {
        OnePassAuthorization(
            clientID: application.clientID, redirectURI: redirectURI ?? application.redirectURIs.first ?? "",
            scopes: .none, state: "", nonce: nonce, codeChallenge: CodeChallenge(value: codeChallenge), expiresAt: now)
    }
}
