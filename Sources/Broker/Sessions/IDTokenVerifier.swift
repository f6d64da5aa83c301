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
        let claims = try await claims(of: token, at: now)
        let (facts, user) = try await store.read { transaction in
            (
                try transaction.sessionFacts(id: claims.sessionID),
                try transaction.user(localID: claims.localID)
            )
        }
        guard let user else { throw BrokerError.userNotFound }
        guard let facts, facts.user.key == user.key, facts.session.revokedAt == nil, claims.epoch == user.epoch else {
            throw BrokerError.tokenExpired
        }
        guard !user.isDisabled else { throw BrokerError.userDisabled }
        return facts
    }

    /// As ``verify(_:at:)``, after a second look at the keys for a token of one that another process made just now.
    private func claims(of token: String, at now: Timestamp) async throws -> Claims {
        do {
            return try verify(token, at: now)
        } catch .invalidIDToken {
            guard let keyID = try? CompactJWS(parsing: token).header.keyID, keys.verification[keyID] == nil,
                try await keys.finds(keyID)
            else { throw BrokerError.invalidIDToken }
            return try verify(token, at: now)
        }
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
