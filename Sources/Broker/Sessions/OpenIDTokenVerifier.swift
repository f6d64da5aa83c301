package import BrokerStore
import JOSE
import OAuth
import ProviderKit

/// Verifies tokens of the OpenID Connect family: signature, kind, issuer and audience; then, against the store, whether
/// their session is still valid.
package struct OpenIDTokenVerifier: StoreLayer {
    let issuer: String
    let keys: SigningKeys
    package let stored: StoreContext
    private let idTokens = VerifiedTokens<Claims>(capacity: TokenRules.verifiedTokens)
    private let accessTokens = VerifiedTokens<Claims>(capacity: TokenRules.verifiedTokens)

    init(issuer: String, keys: SigningKeys, _ stored: StoreContext) {
        self.issuer = issuer
        self.keys = keys
        self.stored = stored
    }

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
    /// - Parameters:
    ///   - token: The token.
    ///   - kind: Its kind.
    ///   - now: The time.
    ///   - identities: What the answer has of the user's identities.
    /// - Returns: `nil` for every other token.
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``, or a store's error.
    package func session<Linked: SessionIdentity>(
        behind token: String, _ kind: Kind, at now: Timestamp, with identities: Linked.Type = Never.self
    ) async throws -> (facts: SessionView<Linked>, claims: Claims)? {
        guard let claims = try await claims(of: token, kind, at: now) else { return nil }
        let isExpired = claims.isExpired(at: now)
        let facts: SessionView<Linked>
        do {
            facts = try await RequestAdmission.look(
                behind: TokenDigest(of: token), isExpired: isExpired, answeredAsForged: true, at: now
            ) {
                guard !isExpired,
                    let found = try await store.pointRead({ try $0.liveSession(behind: claims, with: Linked.self) })
                else { throw BrokerError.tokenExpired }
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
        guard token.utf8.count <= CompactJWS.maximumLength else { return nil }
        let (digest, tokens) = (TokenDigest(of: token), kind == .accessToken ? accessTokens : idTokens)
        var claims = tokens.claims(of: digest, under: conditions(kind), with: keys.verification)
        if claims == nil {
            guard let parsed = try? CompactJWS(parsing: token), let keyID = parsed.header.keyID,
                try await keys.finds(keyID)
            else { return nil }
            claims = try? tokens.verify(parsed, digest, under: conditions(kind), with: keys.verification) {
                claims, clientID throws(JOSEError) in try Claims(claims, kind, of: clientID)
            }
        }
        return claims.flatMap { $0.isIssued(by: now) ? $0 : nil }
    }

    /// The claims of an ID token that a client sends as `id_token_hint`: also one whose key is retired, unless
    /// the key was revoked (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2).
    ///
    /// - Returns: `nil` for any other text.
    /// - Throws: A store's error.
    func claims(ofHint token: String, at now: Timestamp) async throws -> Claims? {
        if let claims = try await claims(of: token, .idToken, at: now) { return claims }
        guard let parsed = try? CompactJWS(parsing: token),
            let (registered, clientID) = try? conditions(.idToken).verify(parsed, with: keys.retired),
            let claims = try? Claims(registered, .idToken, of: clientID), claims.isIssued(by: now)
        else { return nil }
        return claims
    }

    private func conditions(_ kind: Kind) -> TokenConditions {
        TokenConditions(
            type: kind == .accessToken ? OpenIDTokens.accessTokenType : TokenSigner.ordinaryType, issuer: issuer,
            audiences: nil)
    }
}

extension OpenIDTokenVerifier.Claims {
    /// - Throws: ``JOSEError`` for a claim that is missing or wrong.
    fileprivate init(
        _ claims: RegisteredClaims, _ kind: OpenIDTokenVerifier.Kind, of clientID: String
    ) throws(JOSEError) {
        let payload = claims.payload
        guard let sessionID = payload["sid"]?.string, let epoch = payload["epoch"]?.integer,
            let authTime = try claims.authenticationTime
        else { throw JOSEError(.invalidClaim, "sid, epoch or auth_time is missing") }
        if kind == .accessToken {
            guard payload["client_id"]?.string?.hasSameBytes(as: clientID) ?? false else {
                throw JOSEError(.invalidClaim, "client_id is not the audience")
            }
        }
        localID = try claims.subject
        (self.sessionID, self.epoch, self.clientID) = (sessionID, epoch, clientID)
        self.authTime = authTime.secondsSince1970
        scopes = Scopes(payload["scope"]?.string ?? "")
        tokenID = payload["jti"]?.string
        issuedAt = try claims.issuedAt.secondsSince1970
        expiresAt = try claims.expiration.secondsSince1970
    }

    fileprivate func isIssued(by now: Timestamp) -> Bool { issuedAt <= now.seconds + TokenRules.clockSkew }
}

extension Transaction {
    /// The session that a token of the OpenID Connect family names, if it is still valid in this transaction. Flows that
    /// write call it in their transaction, so that nothing comes between the check and the change.
    ///
    /// - Returns: `nil` when the session has ended or its user is gone or disabled.
    package func liveSession<Linked: SessionIdentity>(
        behind claims: OpenIDTokenVerifier.Claims, with identities: Linked.Type
    ) throws(StoreError) -> SessionView<Linked>? {
        guard let facts = try session(id: claims.sessionID, with: identities), facts.session.family == .oauth,
            facts.session.clientID?.hasSameBytes(as: claims.clientID) ?? false,
            facts.user.localID.hasSameBytes(as: claims.localID),
            SessionState(facts.session, of: facts.user, epoch: claims.epoch, at: now, nil) == .live
        else { return nil }
        return facts
    }
}
