import BrokerStore
import JOSE
import OAuth
import ProviderKit

/// Verifies ID tokens of the Identity Toolkit family: signature, issuer, audience and time; then, against the store, whether
/// their session is still valid.
struct IDTokenVerifier: StoreLayer {
    let rules: TokenRules
    let keys: SigningKeys
    let stored: StoreContext
    private let conditions: TokenConditions
    private let verifiedTokens = VerifiedTokens<VerifiedClaims>(capacity: TokenRules.verifiedTokens)

    init(rules: TokenRules, keys: SigningKeys, _ stored: StoreContext) {
        self.init(rules: rules, keys: keys, stored, issuer: rules.issuer)
    }

    /// The verifier of session cookies, which refuses ID tokens.
    var forSessionCookies: IDTokenVerifier {
        IDTokenVerifier(rules: rules, keys: keys, stored, issuer: rules.cookieIssuer)
    }

    private init(rules: TokenRules, keys: SigningKeys, _ stored: StoreContext, issuer: String) {
        conditions = TokenConditions(type: nil, issuer: issuer, audiences: [rules.audience])
        self.rules = rules
        self.keys = keys
        self.stored = stored
    }

    /// The claims of a verified token, which do not change.
    fileprivate struct VerifiedClaims: Sendable {
        let localID: String
        let sessionID: String
        let epoch: Int64
        let authTime: Int64
        let issuedAt: Int64
        let expiration: Int64
    }

    /// The claims of a token whose signature, issuer and audience were verified.
    struct Claims: Sendable {
        fileprivate let digest: TokenDigest
        let localID: String
        let sessionID: String
        let epoch: Int64
        let authTime: Int64
        let isExpired: Bool
    }

    /// The session of a valid token.
    ///
    /// - Throws: ``BrokerError`` in the order of contract §5.3.
    func session<Linked: SessionIdentity>(
        behind token: String, at now: Timestamp, with identities: Linked.Type = Never.self
    ) async throws -> SessionView<Linked> {
        try await session(behind: try await claims(of: token, at: now), at: now) { facts, _ in facts }
    }

    /// The session of a valid token, which proves its user from then on.
    ///
    /// - Throws: As ``session(behind:at:with:)``, and what `read` throws.
    func session<Linked: SessionIdentity, Value: Sendable>(
        behind claims: Claims, at now: Timestamp,
        _ read: @escaping @Sendable (SessionView<Linked>, borrowing Transaction) throws -> Value
    ) async throws -> Value {
        let (localID, value) = try await RequestAdmission.look(
            behind: claims.digest, isExpired: claims.isExpired, at: now
        ) {
            try await store.pointRead { transaction -> (String, Value) in
                let facts: SessionView<Linked> = try transaction.liveSession(behind: claims)
                return (facts.user.localID, try read(facts, transaction))
            }
        }
        try RequestAdmission.current?.prove(user: localID)
        return value
    }

    /// The claims of a valid token, which proves its user from then on. Flows that write look at the session again in their
    /// transaction.
    ///
    /// - Throws: As ``session(behind:at:with:)``.
    func validClaims(of token: String, at now: Timestamp) async throws -> Claims {
        let claims = try await claims(of: token, at: now)
        guard let admission = RequestAdmission.current, !admission.hasProven(user: claims.localID) else {
            return claims
        }
        return try await session(behind: claims, at: now) { (_: SessionView<Never>, _) in claims }
    }

    /// The claims of a token with a signature of ours, after reading the keys again for one that another process made.
    ///
    /// An expired token is no error here, since a user who is gone comes first (contract §5.3).
    ///
    /// - Throws: ``BrokerError/invalidIDToken``, or a store's error.
    func claims(of token: String, at now: Timestamp) async throws -> Claims {
        do {
            return try verified(token, at: now)
        } catch .invalidIDToken {
            guard let keyID = try? CompactJWS(parsing: token).header.keyID, keys.verification[keyID] == nil,
                try await keys.finds(keyID)
            else { throw BrokerError.invalidIDToken }
            return try verified(token, at: now)
        }
    }

    private func verified(_ token: String, at now: Timestamp) throws(BrokerError) -> Claims {
        guard token.utf8.count <= CompactJWS.maximumLength else { throw .invalidIDToken }
        do {
            let (digest, keys) = (TokenDigest(of: token), keys.verification)
            let claims =
                try verifiedTokens.claims(of: digest, under: conditions, with: keys)
                ?? verifiedTokens.verify(CompactJWS(parsing: token), digest, under: conditions, with: keys) {
                    claims, _ throws(JOSEError) in try VerifiedClaims(claims)
                }
            guard claims.issuedAt <= now.seconds + TokenRules.clockSkew else { throw BrokerError.invalidIDToken }
            return Claims(
                digest: digest, localID: claims.localID, sessionID: claims.sessionID, epoch: claims.epoch,
                authTime: claims.authTime, isExpired: claims.expiration <= now.seconds - TokenRules.clockSkew)
        } catch {
            throw .invalidIDToken
        }
    }

    /// The whole payload of a token that ``claims(of:at:)`` accepted.
    func payload(of token: String) throws(BrokerError) -> JSONObject {
        do {
            return try CompactJWS(parsing: token).unverifiedClaims()
        } catch {
            throw .invalidIDToken
        }
    }
}

extension IDTokenVerifier.VerifiedClaims {
    fileprivate init(_ claims: RegisteredClaims) throws(JOSEError) {
        guard let session = SessionClaims(of: .object(claims.payload)), let authTime = try claims.authenticationTime
        else { throw JOSEError(.invalidClaim, "sid, epoch or auth_time is missing") }
        localID = try claims.subject
        (sessionID, epoch) = (session.id, session.epoch)
        self.authTime = authTime.secondsSince1970
        issuedAt = try claims.issuedAt.secondsSince1970
        expiration = try claims.expiration.secondsSince1970
    }
}

/// The session that an ID token of the Identity Toolkit family names: the claim `broker`.
struct SessionClaims: Sendable {
    let id: String
    let epoch: Int64

    /// `nil` without a complete claim. Members of these names at the top level are the developer's, and are never read.
    init?(of payload: JSONValue) {
        guard let id = payload["broker"]?["sid"]?.string, let epoch = payload["broker"]?["epoch"]?.integer else {
            return nil
        }
        (self.id, self.epoch) = (id, epoch)
    }
}

extension Transaction {
    /// The session that a verified token names, if it is still valid in this transaction. Flows that write call it in their
    /// transaction, so that nothing comes between the check and the change.
    ///
    /// - Throws: ``BrokerError/userNotFound``, ``BrokerError/tokenExpired``, ``BrokerError/userDisabled``, or a
    ///   ``StoreError``.
    func liveSession<Linked: SessionIdentity>(behind claims: IDTokenVerifier.Claims) throws -> SessionView<Linked> {
        let found = try session(id: claims.sessionID, with: Linked.self)
        guard let found, found.user.localID.hasSameBytes(as: claims.localID) else {
            guard try user(localID: claims.localID) == nil else { throw BrokerError.tokenExpired }
            return try mergedSession(found, behind: claims)
        }
        guard !claims.isExpired, found.session.family == .identityToolkit else { throw BrokerError.tokenExpired }
        try SessionState(found.session, of: found.user, epoch: claims.epoch, at: now, nil).requireLive()
        return found
    }

    /// The session of a user who was merged into another after the token was issued, where the session moved with it. The
    /// token has the epoch of the user who went, in which the session was valid when it moved.
    private func mergedSession<Linked>(
        _ found: SessionView<Linked>?, behind claims: IDTokenVerifier.Claims
    ) throws -> SessionView<Linked> {
        guard let survivor = try user(absorbing: claims.localID), let found, found.user.key == survivor.key,
            found.session.family == .identityToolkit, found.session.mergedAt != nil
        else { throw BrokerError.userNotFound }
        guard !claims.isExpired else { throw BrokerError.tokenExpired }
        try SessionState(found.session, of: found.user, at: now, nil).requireLive()
        return found
    }
}
