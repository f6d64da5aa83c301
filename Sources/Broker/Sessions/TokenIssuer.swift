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
    /// The classes that `acr` names.
    let stepUp: [StepUpRule]

    /// Tokens for a session as it stands, issued at `now`: never rounded up, since verifiers refuse tokens from the
    /// future.
    package func issue<Linked: ProviderSubject>(
        _ facts: SessionView<Linked>, at now: Timestamp
    ) async throws -> IssuedTokens {
        let idToken = try await keys.sign(payload: payload(facts, at: now), rules.algorithm)
        let refreshToken = refreshTokens.encode(
            RefreshToken(sessionID: facts.session.id, generation: facts.session.generation))
        return IssuedTokens(idToken: idToken, refreshToken: refreshToken, expiresIn: TokenRules.lifetime)
    }

    /// The payload: the profile first, then custom claims, then the claims that nothing may override.
    package func payload<Linked: ProviderSubject>(_ facts: SessionView<Linked>, at now: Timestamp) -> [UInt8] {
        let user = facts.user
        var profile = JSONObject()
        profile["name"] = user.displayName.map(JSONValue.string)
        profile["preferred_username"] = facts.screenName.map(JSONValue.string)
        profile["picture"] = (PictureURL(user.photoURL)?.claim).map(JSONValue.string)
        for (name, value) in Self.customClaims(user.customAttributes) + Self.customClaims(facts.session.claims) {
            profile[name] = value
        }
        var payload = JSONObjectWriter()
        payload.add(contentsOf: profile)
        payload.add("iss", rules.issuer)
        payload.add("aud", rules.audience)
        payload.add("auth_time", facts.session.authTime)
        payload.add("user_id", user.localID)
        payload.add("sub", user.localID)
        payload.add("iat", now.seconds)
        payload.add("exp", now.seconds + TokenRules.lifetime)
        if let email = user.email {
            payload.add("email", email)
            payload.add("email_verified", user.isEmailVerified)
        }
        if let acr = facts.session.authenticationContext(stepUp, at: now) { payload.add("acr", acr) }
        let methods = facts.session.methods
        if !methods.isEmpty { payload.add(named: "amr", .array(methods)) }
        if facts.isAnonymous { payload.add("provider_id", "anonymous") }
        payload.add("broker") { broker in
            broker.add("sid", facts.session.id)
            broker.add("epoch", facts.session.epoch)
        }
        payload.add("firebase") { firebase in
            firebase.add(named: "identities", .object(Self.identities(facts)))
            firebase.add("sign_in_provider", facts.session.signInProvider)
        }
        return payload.finish()
    }

    /// Every current link, not only the one this session began with.
    private static func identities<Linked: ProviderSubject>(_ facts: SessionView<Linked>) -> JSONObject {
        var result = JSONObject()
        if let email = facts.user.email { result["email"] = [.string(email)] }
        for identity in facts.identities { result[identity.provider] = [.string(identity.subject)] }
        return result
    }

    /// The claims set for a user, without those reserved for the broker.
    private static func customClaims(_ text: String?) -> [(String, JSONValue)] {
        CustomClaims.stored(text).filter { !reservedClaims.contains($0.name) }.map { ($0.name, $0.value) }
    }

    private static let reservedClaims: Set<String> = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase",
        "at_hash", "c_hash", "broker", "email", "email_verified", "phone_number", "provider_id", "user_id",
    ]
}
