package import BrokerStore
import Foundation
import JOSE
package import ProviderKit

/// The tokens that an Identity Toolkit client gets.
package struct IssuedTokens: Sendable {
    package let idToken: String
    package let refreshToken: String
    /// Seconds the ID token lives.
    package let expiresIn: Int64
}

/// Mints ID tokens of the Identity Toolkit family (contract §5.1) and the refresh token beside them.
package struct TokenIssuer: Sendable {
    let rules: TokenRules
    let keys: SigningKeys
    let refreshTokens: RefreshTokenCodec

    /// Tokens for a session as it stands, issued at `now`: never rounded up, since verifiers refuse tokens from the
    /// future.
    package func issue(_ facts: SessionFacts, at now: Timestamp) async throws -> IssuedTokens {
        let idToken = try await keys.sign(claims(facts, at: now), rules.algorithm)
        let refreshToken = refreshTokens.encode(
            RefreshToken(sessionID: facts.session.id, generation: facts.session.generation))
        return IssuedTokens(idToken: idToken, refreshToken: refreshToken, expiresIn: TokenRules.lifetime)
    }

    /// The payload: the profile first, then custom claims, then the claims that nothing may override.
    package func claims(_ facts: SessionFacts, at now: Timestamp) -> JSONObject {
        let user = facts.user
        var claims = JSONObject()
        claims["name"] = user.displayName.map(JSONValue.string)
        claims["picture"] = (PictureURL(user.photoURL)?.claim).map(JSONValue.string)
        for (name, value) in Self.customClaims(user.customAttributes) + Self.customClaims(facts.session.claims) {
            claims[name] = value
        }
        claims["iss"] = .string(rules.issuer)
        claims["aud"] = .string(rules.audience)
        claims["auth_time"] = .integer(facts.session.authTime)
        claims["user_id"] = .string(user.localID)
        claims["sub"] = .string(user.localID)
        claims["iat"] = .integer(now.seconds)
        claims["exp"] = .integer(now.seconds + TokenRules.lifetime)
        claims["email"] = user.email.map(JSONValue.string)
        claims["email_verified"] = user.email == nil ? nil : .bool(user.isEmailVerified)
        claims["provider_id"] = facts.session.signInProvider == "anonymous" ? "anonymous" : nil
        claims["broker"] = ["sid": .string(facts.session.id), "epoch": .integer(facts.session.epoch)]
        claims["firebase"] = [
            "identities": .object(Self.identities(facts)),
            "sign_in_provider": .string(facts.session.signInProvider),
        ]
        return claims
    }

    /// Every current link, not only the one this session began with.
    private static func identities(_ facts: SessionFacts) -> JSONObject {
        var result = JSONObject()
        if let email = facts.user.email { result["email"] = [.string(email)] }
        for identity in facts.identities { result[identity.provider] = [.string(identity.subject)] }
        return result
    }

    /// The claims set for a user, without those reserved for the broker.
    private static func customClaims(_ text: String?) -> [(String, JSONValue)] {
        guard let text, let object = try? JSONValue(parsing: text.utf8, limits: .stored).object else { return [] }
        return object.filter { !reservedClaims.contains($0.name) }.map { ($0.name, $0.value) }
    }

    private static let reservedClaims: Set<String> = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase",
        "at_hash", "c_hash", "broker", "email", "email_verified", "phone_number", "provider_id", "user_id",
    ]
}
