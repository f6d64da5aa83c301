package import BrokerStore
import JOSE
import ProviderKit

/// Session cookies: tokens with the claims of an ID token that live for up to two weeks, for the sessions of web
/// servers (contract §2.9). They have an issuer of their own, so no endpoint that takes ID tokens takes them.
package enum SessionCookie {
    /// Seconds a cookie lives.
    package static let lifetimes: ClosedRange<Int64> = 300...longestLifetime
    /// Two weeks, the lifetime where none is asked for.
    static let longestLifetime: Int64 = 14 * 86_400
}

extension SessionContext {
    /// Creates a ``SessionCookie``.
    ///
    /// - Parameters:
    ///   - idToken: An ID token whose session is valid.
    ///   - lifetime: Seconds, one of ``SessionCookie/lifetimes``.
    ///   - origin: The backend.
    /// - Returns: The cookie's value.
    /// - Throws: ``BrokerError`` in the order of contract §5.3.
    package func createSessionCookie(
        _ idToken: String, lifetime: Int64, origin: Origin
    ) async throws -> String {
        let now = now
        let claims = try await verifier.validClaims(of: idToken, at: now)
        let facts = try await store.write(at: now, by: origin) { transaction in
            let facts: SessionView<TokenIdentity> = try transaction.liveSession(behind: claims)
            try transaction.audit(
                "session-cookie.created", of: facts.user.localID,
                detail: ["session": .string(facts.session.id), "seconds": .integer(lifetime)])
            return facts
        }
        // A merge since makes the session the survivor's: neither `sub` nor claims of the absorbed user go on.
        let isMerged = !facts.user.localID.hasSameBytes(as: claims.localID)
        var payload =
            try isMerged
            ? JSONValue(parsing: tokens.payload(facts, at: now)).object ?? [:] : verifier.payload(of: idToken)
        payload["iss"] = .string(verifier.rules.cookieIssuer)
        payload["iat"] = .integer(now.seconds)
        payload["exp"] = .integer(now.seconds + lifetime)
        return try await verifier.keys.sign(payload, verifier.rules.algorithm)
    }
}
