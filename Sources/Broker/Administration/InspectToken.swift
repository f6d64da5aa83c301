package import BrokerStore
import JOSE
package import ProviderKit

/// The report about a token, without the token itself.
package struct TokenReport: Sendable {
    package let header: JSONObject
    /// The unverified claims.
    package let claims: JSONValue
    /// The family of the key that the token names; nil if this broker never had it.
    package let family: StoredSigningKey.Family?
    package let signature: Signature
    /// The state of its session; nil if this broker did not sign the token or the session is gone.
    package let session: SessionState?
    /// The reason it is invalid; nil when it is valid.
    package let refusal: BrokerError?

    package enum Signature: String, Sendable {
        /// By a published key of this broker.
        case ours
        /// By a key this broker has revoked, or published once and no longer does.
        case withdrawnKey = "withdrawn-key"
        /// The token names no key this broker ever had.
        case unknownKey = "unknown-key"
        /// The token names a key of this broker, which did not sign it.
        case forged
    }
}

extension AdminContext {
    /// Inspects a token: its claims, its signature and the state of its session. Changes nothing.
    ///
    /// - Returns: The report; nil if this is not a JWT.
    /// - Throws: A store's error.
    package func inspectToken(_ token: String) async throws -> TokenReport? {
        guard let parsed = try? CompactJWS(parsing: token),
            let claims = try? JSONValue(parsing: parsed.unverifiedPayload), claims.object != nil
        else { return nil }
        let family = try await family(of: parsed)
        let refusal = try await family == .oidc ? openIDRefusal(of: token, parsed) : refusal(of: token)
        let signature = signature(of: parsed, family)
        let sessionID = family == .oidc ? claims["sid"]?.string : SessionClaims(of: claims)?.id
        return TokenReport(
            header: Self.header(parsed.header), claims: claims, family: family, signature: signature,
            session: try await state(ofSession: signature == .ours ? sessionID : nil), refusal: refusal)
    }

    private func state(ofSession id: String?) async throws -> SessionState? {
        guard let id, let facts = try await store.read({ try $0.sessionFacts(id: id) }) else { return nil }
        return SessionState(facts.session, of: facts.user, at: now, sessions.rules)
    }

    private static func header(_ header: JWSHeader) -> JSONObject {
        var object: JSONObject = ["alg": .string(header.algorithm)]
        object["kid"] = header.keyID.map(JSONValue.string)
        object["typ"] = header.type.map(JSONValue.string)
        return object
    }

    /// May learn of keys another process has made.
    private func family(of token: CompactJWS) async throws -> StoredSigningKey.Family? {
        guard let keyID = token.header.keyID else { return nil }
        for keys in sessions.keyFamilies {
            if try await keys.finds(keyID) { return keys.family }
            if keys.schedule.rows.contains(where: { $0.kid.hasSameBytes(as: keyID) }) { return keys.family }
        }
        return nil
    }

    private func signature(of token: CompactJWS, _ family: StoredSigningKey.Family?) -> TokenReport.Signature {
        let keys = family == .oidc ? sessions.openIDSigningKeys : sessions.signingKeys
        do {
            _ = try token.verified(with: keys.verification, algorithms: Set(SignatureAlgorithm.allCases))
            return .ours
        } catch {
            guard error.kind == .unknownKey else { return .forged }
            return family == nil ? .unknownKey : .withdrawnKey
        }
    }

    private func openIDRefusal(of token: String, _ parsed: CompactJWS) async throws -> BrokerError? {
        let now = now
        let kind: OpenIDTokenVerifier.Kind =
            parsed.header.type == OpenIDTokens.accessTokenType ? .accessToken : .idToken
        guard try await openID.verifier.claims(of: token, kind, at: now) != nil else { return .invalidIDToken }
        return try await openID.verifier.session(behind: token, kind, at: now) == nil ? .tokenExpired : nil
    }

    private func refusal(of token: String) async throws -> BrokerError? {
        do {
            _ = try await sessions.verifier.session(behind: token, at: now)
            return nil
        } catch let error as BrokerError {
            return error
        }
    }
}
