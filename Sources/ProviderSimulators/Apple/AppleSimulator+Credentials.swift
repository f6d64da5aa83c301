import Crypto
import Foundation
import ProviderKit

extension AppleSimulator {
    /// What a device gives an app after the person agreed (`ASAuthorizationAppleIDCredential`).
    public struct NativeCredential: Sendable {
        /// The signed ID token.
        public let idToken: String
        /// A code that can be redeemed once, within five minutes, by the same app and without redirect URI.
        public let authorizationCode: String
        /// The given name; at the first sign-in only.
        public let givenName: String?
        /// The family name; at the first sign-in only.
        public let familyName: String?
        /// The address; at the first sign-in only.
        public let email: String?
    }

    /// What a device gives `application` after `person` agreed.
    ///
    /// - Parameters:
    ///   - person: Who agrees.
    ///   - application: The app that asks.
    ///   - rawNonce: What the app made its nonce of: the token's `nonce` is the lower-case hexadecimal SHA-256.
    ///   - scopes: What the app asks to be told.
    /// - Returns: A token and a code; the first time also what the person is called.
    public func nativeCredential(
        for person: Person, application: Application, rawNonce: String? = nil, scopes: [String] = ["name", "email"]
    ) -> NativeCredential {
        core.nativeCredential(for: person, application.clientID, rawNonce: rawNonce, scopes: scopes)
    }

    /// What a person's browser would bring to the web site's callback after they consented.
    ///
    /// - Parameters:
    ///   - person: Who consents.
    ///   - application: Which client they let in.
    ///   - redirectURI: As the authorization request would have named it; the first registered one when `nil`, and none
    ///     for native apps.
    ///   - nonce: What the ID token repeats, unchanged.
    ///   - scopes: What the client asks to be told.
    ///   - codeChallenge: Apple takes no notice of a PKCE challenge, so neither does this.
    /// - Returns: A code that lives five minutes and can be redeemed once.
    public func authorizationCode(
        for person: Person, application: Application, redirectURI: String? = nil, nonce: String? = nil,
        scopes: [String] = ["name", "email"], codeChallenge: String? = nil
    ) -> String {
        core.authorizationCode(
            for: person, application, redirectURI: redirectURI ?? application.returnURLs.first, nonce: nonce,
            scopes: scopes)
    }

    /// The body a person's browser would post to the web site's callback (`response_mode=form_post`): `code`, `state`
    /// and, the first time, `user`.
    public func formPost(
        for person: Person, application: Application, redirectURI: String? = nil, state: String? = nil,
        nonce: String? = nil, scopes: [String] = ["name", "email"]
    ) -> String {
        let authorization = AppleAuthorization(
            clientID: application.clientID, redirectURI: redirectURI ?? application.returnURLs.first ?? "",
            mode: .formPost, wantsIDToken: false, scopes: scopes, state: state, nonce: nonce, expiresAt: clock.now)
        return AppleConsentAnswer(core: core, authorization: authorization).granted(by: person.id, hidesEmail: nil)
            .encoded
    }

    /// An ID token alone, as a client may hold it.
    public func idToken(for person: Person, application: Application, nonce: String? = nil) -> String {
        core.withState { state in
            _ = state.consent(state.key(person.id, application.clientID), scopes: ["name", "email"], hidesEmail: nil)
        }
        return core.idToken(AppleClaims(personID: person.id, clientID: application.clientID, nonce: nonce))
    }

    /// An access token, which nothing but revocation takes.
    public func accessToken(for person: Person, application: Application) -> String {
        let now = clock.now
        return core.withState { $0.makeAccessToken(for: person.id, application.clientID, now: now) }
    }

    /// A refresh token, as a client got it with an earlier code.
    public func refreshToken(for person: Person, application: Application) -> String {
        core.withState { state in
            _ = state.consent(state.key(person.id, application.clientID), scopes: ["name", "email"], hidesEmail: nil)
            return state.makeRefreshToken(for: person.id, application.clientID)
        }
    }

    /// Ends everything a person granted an application's team, as "Stop using Apple Account" does.
    public func revokeGrant(of person: Person, application: Application) {
        core.withState { $0.removeConsent($0.key(person.id, application.clientID)) }
    }

    /// Whether an access or refresh token works now.
    public func isLive(token: String) -> Bool {
        core.snapshot.tokens[token]?.isLive(at: clock.now) ?? false
    }

    /// Lower-case hexadecimal SHA-256, which apps hand to the system instead of the nonce itself.
    public static func hashed(_ rawNonce: String) -> String {
        SHA256.hash(data: Data(rawNonce.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
