import Crypto
import Foundation
import JOSE
import ProviderKit

extension AppleSimulator {
    /// The credential that a device gives an app after consent (`ASAuthorizationAppleIDCredential`).
    public struct NativeCredential: Sendable {
        /// The signed ID token.
        public let idToken: String
        /// A single-use code for the same app, without redirect URI; it lives five minutes.
        public let authorizationCode: String
        /// The given name; at the first sign-in only.
        public let givenName: String?
        /// The family name; at the first sign-in only.
        public let familyName: String?
        /// The address; at the first sign-in only.
        public let email: String?
    }

    /// The credential that a device gives `application` after `person` has consented.
    ///
    /// - Parameters:
    ///   - person: The user.
    ///   - application: The app.
    ///   - rawNonce: The app's nonce before hashing: the token's `nonce` is the lower-case hexadecimal SHA-256.
    ///   - scopes: The requested scopes.
    /// - Returns: A token and a code; the first time also the names.
    public func nativeCredential(
        for person: Person, application: Application, rawNonce: String? = nil, scopes: [String] = ["name", "email"]
    ) -> NativeCredential {
        core.withState { state in
            state.nativeCredential(for: person, application.clientID, rawNonce: rawNonce, scopes: scopes)
        }
    }

    /// The authorization code that a user's browser would bring to the web site's callback after consent.
    ///
    /// - Parameters:
    ///   - person: The user who consents.
    ///   - application: The client.
    ///   - redirectURI: As the authorization request would have named it; the first registered one when `nil`, and none
    ///     for native apps.
    ///   - nonce: The nonce of the ID token, unchanged.
    ///   - scopes: The requested scopes.
    ///   - codeChallenge: Ignored, as Apple ignores PKCE.
    /// - Returns: A single-use code that lives five minutes.
    public func authorizationCode(
        for person: Person, application: Application, redirectURI: String? = nil, nonce: String? = nil,
        scopes: [String] = ["name", "email"], codeChallenge: String? = nil
    ) -> String {
        let request = SimulatedAuthorizationRequest(
            clientID: application.clientID,
            redirectURI: application.kind == .web ? redirectURI ?? application.returnURLs.first : nil, nonce: nonce)
        return core.withState { $0.consentedCode(for: request, to: person.id, scopes: scopes) }
    }

    /// The body that a user's browser would post to the web site's callback (`response_mode=form_post`): `code`, `state`
    /// and, the first time, `user`.
    public func formPost(
        for person: Person, application: Application, redirectURI: String? = nil, state: String? = nil,
        nonce: String? = nil, scopes: [String] = ["name", "email"]
    ) -> String {
        let target = redirectURI ?? application.returnURLs.first ?? ""
        let request = SimulatedAuthorizationRequest(
            clientID: application.clientID, redirectURI: target,
            response: SimulatedAuthorizationResponse(target: target, place: .formPost, state: state), scopes: scopes,
            nonce: nonce)
        return core.withState { $0.response(to: request, consentedBy: person.id, hidesEmail: nil).encoded }
    }

    /// An ID token without a code.
    public func idToken(for person: Person, application: Application, nonce: String? = nil) -> String {
        core.withState { state in
            _ = state.consent(state.key(person.id, application.clientID), scopes: ["name", "email"], hidesEmail: nil)
            return state.idToken(AppleClaims(personID: person.id, clientID: application.clientID, nonce: nonce))
        }
    }

    /// An access token, which only revocation accepts.
    public func accessToken(for person: Person, application: Application) -> String {
        core.withState { $0.makeAccessToken(for: person.id, application.clientID) }
    }

    /// A refresh token, as a client got it with an earlier code.
    public func refreshToken(for person: Person, application: Application) -> String {
        core.withState { state in
            _ = state.consent(state.key(person.id, application.clientID), scopes: ["name", "email"], hidesEmail: nil)
            return state.makeRefreshToken(for: person.id, application.clientID)
        }
    }

    /// Revokes a user's consent for an application's team, as "Stop using Apple Account" does.
    public func revokeGrant(of person: Person, application: Application) {
        core.withState { $0.removeConsent($0.key(person.id, application.clientID)) }
    }

    /// Whether an access or refresh token is valid now.
    public func isLive(token: String) -> Bool {
        core.read { $0.tokens[token]?.isLive(at: $0.now) ?? false }
    }

    /// Lower-case hexadecimal SHA-256, which apps hand to the system instead of the nonce itself.
    public static func hashed(_ rawNonce: String) -> String {
        SHA256.hexadecimalHash(of: Data(rawNonce.utf8))
    }
}
