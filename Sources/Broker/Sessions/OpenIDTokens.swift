package import BrokerStore
import Crypto
import Foundation
import JOSE
import OAuth
import ProviderKit

/// The tokens that an OAuth client gets for a grant.
package struct IssuedOpenIDTokens: Sendable {
    package let accessToken: String
    /// With the scope `openid`.
    package let idToken: String?
    /// With the scope `offline_access`.
    package let refreshToken: String?
    /// Seconds the access token lives.
    package let expiresIn: Int64
    /// The scope of the access token.
    package let scopes: Scopes
    /// The session they belong to.
    let facts: SessionView<Never>
    /// The provider whose identity the grant has linked.
    var linkedProvider: String?
}

/// Mints the tokens of the OpenID Connect family: ID tokens (OpenID Connect Core §2), access tokens (RFC 9068), and
/// refresh tokens.
package struct OpenIDTokens: Sendable {
    /// The `iss` of all of them: the broker's public URL.
    package let issuer: String
    let keys: SigningKeys
    let refreshTokens: RefreshTokenCodec

    /// The `typ` of access tokens (RFC 9068 §2.1), which tells them from ID tokens.
    static let accessTokenType = "at+jwt"

    /// Tokens for a client's session as it stands.
    ///
    /// - Parameters:
    ///   - facts: A session of the family `oauth`.
    ///   - client: The client it belongs to.
    ///   - scopes: Less than the session was granted, if the client wants less.
    ///   - nonce: For the first ID token.
    ///   - withRefreshToken: Whether a refresh token comes along, where the scope has one.
    ///   - now: Never rounded up, since verifiers refuse tokens from the future.
    /// - Returns: The tokens.
    /// - Throws: ``InternalError/signingKeyMissing(_:)``.
    package func issue<Linked>(
        _ facts: SessionView<Linked>, for client: Client, scopes: Scopes? = nil, nonce: String? = nil,
        withRefreshToken: Bool = true, at now: Timestamp
    ) async throws -> IssuedOpenIDTokens {
        let facts = facts.withoutIdentities
        let granted = Scopes(facts.session.scope ?? "")
        let scopes = scopes ?? granted
        let algorithm = SignatureAlgorithm(client.algorithm)
        let accessToken = try await keys.sign(
            accessClaims(facts, client, scopes, at: now), algorithm, type: Self.accessTokenType)
        var idToken: String?
        if scopes.contains(.openid) {
            let claims = idClaims(facts, client, scopes, nonce: nonce, accessToken: accessToken, at: now)
            idToken = try await keys.sign(claims, algorithm)
        }
        let successor = RefreshToken(sessionID: facts.session.id, generation: facts.session.generation)
        return IssuedOpenIDTokens(
            accessToken: accessToken, idToken: idToken,
            refreshToken: withRefreshToken && granted.contains(.offlineAccess) ? refreshTokens.encode(successor) : nil,
            expiresIn: TokenRules.lifetime, scopes: scopes, facts: facts)
    }

    /// The claims of both kinds.
    private func commonClaims(_ facts: SessionView<Never>, _ client: Client, at now: Timestamp) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(facts.user.localID), "aud": .string(client.id),
            "iat": .integer(now.seconds), "exp": .integer(now.seconds + TokenRules.lifetime),
            "auth_time": .integer(facts.session.authTime), "sid": .string(facts.session.id),
            "epoch": .integer(facts.session.epoch),
        ]
        claims["acr"] = facts.session.acr.map(JSONValue.string)
        return claims
    }

    private func accessClaims(
        _ facts: SessionView<Never>, _ client: Client, _ scopes: Scopes, at now: Timestamp
    ) -> JSONObject {
        var claims = commonClaims(facts, client, at: now)
        claims["client_id"] = .string(client.id)
        claims["scope"] = .string(scopes.text)
        claims["jti"] = .string(RandomText.alphanumeric(22))
        return claims
    }

    private func idClaims(
        _ facts: SessionView<Never>, _ client: Client, _ scopes: Scopes, nonce: String?, accessToken: String,
        at now: Timestamp
    ) -> JSONObject {
        var claims = commonClaims(facts, client, at: now)
        claims["nonce"] = nonce.map(JSONValue.string)
        claims["at_hash"] = .string(Self.halfHash(of: accessToken))
        let methods = (facts.session.authenticationMethods ?? "").split(separator: " ")
        claims["amr"] = methods.isEmpty ? nil : .array(methods.map { .string(String($0)) })
        for (name, value) in UserClaims(facts.user, scopes).members { claims[name] = value }
        return claims
    }

    /// The left half of the token's SHA-256 (OpenID Connect Core §3.1.3.6); both algorithms are with SHA-256.
    private static func halfHash(of token: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Data(token.utf8)).prefix(16)))
    }
}
