import BrokerStore
import JOSE
import ProviderKit

/// Checks an ID token of our own: signature, issuer, audience, time; then, against the store, whether it still counts.
struct IDTokenVerifier: Sendable {
    let rules: TokenRules
    let keys: SigningKeys
    let store: Store

    /// What a good token says; good until `exp` as far as the signature goes.
    struct Claims: Sendable {
        let localID: String
        let sessionID: String
        let epoch: Int64
        let authTime: Int64
    }

    /// The session behind a token that is still good this moment.
    ///
    /// - Throws: ``BrokerError`` in the order of contract §5.3.
    func session(behind token: String, at now: Timestamp) async throws -> SessionFacts {
        let claims = try verify(token, at: now)
        return try await store.read { try $0.liveSession(behind: claims) }
    }

    /// The claims of a token whose signature, issuer, audience and time are right.
    ///
    /// - Throws: ``BrokerError/invalidIDToken``, ``BrokerError/tokenExpired``.
    func verify(_ token: String, at now: Timestamp) throws(BrokerError) -> Claims {
        let expiration: Int64
        let claims: Claims
        do {
            let payload = try CompactJWS(parsing: token).verified(
                with: keys.verification, algorithms: Set(SignatureAlgorithm.allCases))
            let registered = try RegisteredClaims(payload)
            guard try registered.issuer == rules.issuer, try registered.audience.names == [rules.audience],
                let sessionID = payload["sid"]?.string, let epoch = payload["epoch"]?.integer,
                try registered.issuedAt.secondsSince1970 <= now.seconds + Self.clockSkew,
                let authTime = try registered.authenticationTime
            else { throw BrokerError.invalidIDToken }
            expiration = try registered.expiration.secondsSince1970
            claims = Claims(
                localID: try registered.subject, sessionID: sessionID, epoch: epoch,
                authTime: authTime.secondsSince1970)
        } catch {
            throw .invalidIDToken
        }
        guard expiration > now.seconds - Self.clockSkew else { throw .tokenExpired }
        return claims
    }

    /// Seconds two hosts' clocks may differ by.
    private static let clockSkew: Int64 = 30
}

extension Transaction {
    /// The session a good token names, when it still counts in this transaction: flows that write ask here, so that
    /// nothing comes between the judgement and the change.
    ///
    /// - Throws: ``BrokerError/userNotFound``, ``BrokerError/tokenExpired``, ``BrokerError/userDisabled``, or a
    ///   ``StoreError``.
    func liveSession(behind claims: IDTokenVerifier.Claims) throws -> SessionFacts {
        guard let user = try self.user(localID: claims.localID) else { throw BrokerError.userNotFound }
        guard let facts = try sessionFacts(id: claims.sessionID), facts.user.key == user.key,
            facts.session.revokedAt == nil, claims.epoch == user.epoch
        else { throw BrokerError.tokenExpired }
        guard !user.isDisabled else { throw BrokerError.userDisabled }
        return facts
    }
}
