import BrokerStore
import ProviderKit

/// A valid token that a user has sent to a backend.
enum IntrospectedUserToken: Sendable {
    case accessToken(IntrospectedToken)
    /// An ID token or a session cookie, with its claims; `iss` tells which.
    case identityToolkit(JSONObject, sessionID: String)
}

extension OpenIDContext {
    /// Introspects a token that a user has sent to a backend (RFC 7662): an access token of any OpenID Connect client,
    /// an ID token of Identity Toolkit, or a session cookie.
    ///
    /// Everything else is inactive here, ID tokens of OpenID Connect and refresh tokens included: they are for clients,
    /// and a backend that accepted them would accept what another client was given.
    ///
    /// - Returns: `nil` for an invalid token.
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``, or a store's error.
    func introspectUserToken(_ token: String) async throws -> IntrospectedUserToken? {
        let now = now
        if let report = try await accessToken(token, at: now) { return .accessToken(report) }
        for verifier in [sessions.verifier, sessions.cookieVerifier] {
            if let session = try await Self.session(behind: token, verifier, at: now) {
                var claims = try verifier.payload(of: token)
                // After a merge it is another user than the token names. A backend then refuses the token, and the app
                // gets one with the user that is left.
                claims["sub"] = .string(session.user.localID)
                return .identityToolkit(claims, sessionID: session.session.id)
            }
        }
        return nil
    }

    private static func session(
        behind token: String, _ verifier: IDTokenVerifier, at now: Timestamp
    ) async throws -> SessionView<Never>? {
        do {
            return try await verifier.session(behind: token, at: now)
        } catch BrokerError.invalidIDToken, BrokerError.tokenExpired, BrokerError.userNotFound,
            BrokerError.userDisabled
        {
            return nil
        }
    }
}
