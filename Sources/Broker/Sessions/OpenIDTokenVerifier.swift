package import BrokerStore
import JOSE
import ProviderKit

/// Verifies tokens of the OpenID Connect family: signature, kind, issuer and audience; then, against the store, whether
/// their session is still valid.
package struct OpenIDTokenVerifier: Sendable {
    let issuer: String
    let keys: SigningKeys
    let store: Store

    package enum Kind: Sendable {
        case idToken, accessToken
    }

    /// The claims of a token whose signature, kind, issuer and audience were verified.
    package struct Claims: Sendable {
        package let localID: String
        package let sessionID: String
        package let epoch: Int64
        package let clientID: String
        package let authTime: Int64
        /// An access token's; an ID token has none.
        package let scopes: Scopes
        package let tokenID: String?
        package let issuedAt: Int64
        package let expiresAt: Int64

        package func isExpired(at now: Timestamp) -> Bool { expiresAt <= now.seconds - TokenRules.clockSkew }
    }

    /// The session of a valid token, which proves its user from then on.
    ///
    /// - Returns: `nil` for every other token.
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``, or a store's error.
    package func session(
        behind token: String, _ kind: Kind, at now: Timestamp
    ) async throws -> (facts: SessionFacts, claims: Claims)? {
        guard let claims = try await claims(of: token, kind, at: now) else { return nil }
        let isExpired = claims.isExpired(at: now)
        let facts: SessionFacts
        do {
            facts = try await RequestAdmission.look(
                behind: TokenDigest(of: token), isExpired: isExpired, answeredAsForged: true, at: now
            ) {
                guard !isExpired, let found = try await store.pointRead({ try $0.liveSession(behind: claims) }) else {
                    throw BrokerError.tokenExpired
                }
                return found
            }
        } catch BrokerError.tokenExpired {
            return nil
        }
        try RequestAdmission.current?.prove(user: claims.localID)
        return (facts, claims)
    }

    /// The claims of a token of ours, also of one that has expired or was revoked.
    ///
    /// - Returns: `nil` for any other text.
    /// - Throws: A store's error, where another process may have made the token's key just now.
    package func claims(of token: String, _ kind: Kind, at now: Timestamp) async throws -> Claims? {
        guard let parsed = try? CompactJWS(parsing: token), let keyID = parsed.header.keyID,
            try await keys.finds(keyID)
        else { return nil }
        return try? verify(parsed, kind, with: keys.verification, at: now)
    }

    /// The claims of an ID token that a client sends as `id_token_hint`: also one whose key is retired, unless
    /// the key was revoked (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2).
    ///
    /// - Returns: `nil` for any other text.
    /// - Throws: A store's error.
    func claims(ofHint token: String, at now: Timestamp) async throws -> Claims? {
        if let claims = try await claims(of: token, .idToken, at: now) { return claims }
        guard let parsed = try? CompactJWS(parsing: token) else { return nil }
        return try? verify(parsed, .idToken, with: keys.retired, at: now)
    }

    private func verify(
        _ token: CompactJWS, _ kind: Kind, with keys: KeySet, at now: Timestamp
    ) throws -> Claims? {
        let type = kind == .accessToken ? OpenIDTokens.accessTokenType : TokenSigner.ordinaryType
        guard token.header.type?.hasSameBytes(as: type) ?? false else { return nil }
        let payload = try token.verified(with: keys, algorithms: Set(SignatureAlgorithm.allCases))
        let registered = try RegisteredClaims(payload)
        guard try registered.issuer.hasSameBytes(as: issuer), let clientID = try registered.audience.names.first,
            try registered.audience.names.count == 1, let sessionID = payload["sid"]?.string,
            let epoch = payload["epoch"]?.integer, let authTime = try registered.authenticationTime,
            try registered.issuedAt.secondsSince1970 <= now.seconds + TokenRules.clockSkew
        else { return nil }
        if kind == .accessToken {
            guard payload["client_id"]?.string?.hasSameBytes(as: clientID) ?? false else { return nil }
        }
        return Claims(
            localID: try registered.subject, sessionID: sessionID, epoch: epoch, clientID: clientID,
            authTime: authTime.secondsSince1970, scopes: Scopes(payload["scope"]?.string ?? ""),
            tokenID: payload["jti"]?.string, issuedAt: try registered.issuedAt.secondsSince1970,
            expiresAt: try registered.expiration.secondsSince1970)
    }
}

extension Transaction {
    /// The session that a token of the OpenID Connect family names, if it is still valid in this transaction. Flows that
    /// write call it in their transaction, so that nothing comes between the check and the change.
    ///
    /// - Returns: `nil` when the session has ended or its user is gone or disabled.
    package func liveSession(behind claims: OpenIDTokenVerifier.Claims) throws(StoreError) -> SessionFacts? {
        guard let facts = try sessionFacts(id: claims.sessionID), facts.session.family == .oauth,
            facts.session.clientID?.hasSameBytes(as: claims.clientID) ?? false,
            facts.user.localID.hasSameBytes(as: claims.localID),
            SessionState(facts.session, of: facts.user, epoch: claims.epoch, at: now, nil) == .live
        else { return nil }
        return facts
    }
}
