import BrokerStore
import ProviderKit

/// A valid token that a user has sent to a backend.
enum IntrospectedUserToken: Sendable {
    case accessToken(IntrospectedToken)
    /// An ID token or a session cookie, with its session and its payload, whose `iss` tells which.
    case identityToolkit(SessionView<TokenIdentity>, JSONObject)
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
                return .identityToolkit(session, try verifier.payload(of: token))
            }
        }
        return nil
    }

    private static func session(
        behind token: String, _ verifier: IDTokenVerifier, at now: Timestamp
    ) async throws -> SessionView<TokenIdentity>? {
        do {
            return try await verifier.session(behind: token, at: now, with: TokenIdentity.self)
        } catch BrokerError.invalidIDToken, BrokerError.tokenExpired, BrokerError.userNotFound,
            BrokerError.userDisabled
        {
            return nil
        }
    }
}
