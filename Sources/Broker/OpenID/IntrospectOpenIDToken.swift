package import BrokerStore
import ProviderKit

/// A valid token of a client.
package struct IntrospectedToken: Sendable {
    package enum Kind: Sendable {
        case accessToken, refreshToken
    }

    package let kind: Kind
    package let facts: SessionView<TokenIdentity>
    package let scopes: Scopes
    /// An access token's `jti`.
    package let tokenID: String?
    package let issuedAt: Int64
    package let expiresAt: Int64
}

extension OpenIDContext {
    /// Introspects a token of a client (RFC 7662).
    ///
    /// - Returns: `nil` for an invalid token and for one of another client.
    /// - Throws: ``OAuthError`` for clients without a secret: their id is public.
    package func introspect(_ text: String, by client: Client) async throws -> IntrospectedToken? {
        guard client.kind == .confidential else {
            throw OAuthError(.unauthorizedClient, "Introspection is for confidential clients.")
        }
        let now = now
        var found = try await refreshToken(text, at: now)
        if found == nil { found = try await accessToken(text, at: now) }
        guard let found, found.facts.session.clientID?.hasSameBytes(as: client.id) ?? false else { return nil }
        return found
    }

    /// - Returns: `nil` for everything but a valid access token, of whichever client.
    func accessToken(_ text: String, at now: Timestamp) async throws -> IntrospectedToken? {
        guard
            let (facts, claims) = try await verifier.session(
                behind: text, .accessToken, at: now, with: TokenIdentity.self)
        else { return nil }
        return IntrospectedToken(
            kind: .accessToken, facts: facts, scopes: claims.scopes, tokenID: claims.tokenID,
            issuedAt: claims.issuedAt, expiresAt: claims.expiresAt)
    }

    /// Only the current refresh token of a session is reported active, not a parent in its grace.
    private func refreshToken(_ text: String, at now: Timestamp) async throws -> IntrospectedToken? {
        guard let token = tokens.refreshTokens.decode(text),
            let facts = try await store.pointRead({ try $0.session(id: token.sessionID, with: TokenIdentity.self) }),
            SessionState(facts.session, of: facts.user, at: now, .rotating) == .live,
            token.generation == facts.session.generation
        else { return nil }
        let issuedAt = facts.session.rotatedAt ?? facts.session.createdAt
        let end = min(
            issuedAt.advanced(by: SessionRules.idleLifetime),
            facts.session.createdAt.advanced(by: SessionRules.absoluteLifetime))
        return IntrospectedToken(
            kind: .refreshToken, facts: facts, scopes: Scopes(facts.session.scope ?? ""), tokenID: nil,
            issuedAt: issuedAt.seconds, expiresAt: end.seconds)
    }
}
