import Crypto
import Foundation
import JOSE
import ProviderKit

extension OnePassState {
    /// A signed access token, whose audience is the client.
    func signAccessToken(for key: GrantKey, scopes: [String], now: Date) -> String {
        var claims = registeredClaims(for: key, now: now)
        claims["scope"] = .string(scopes.joined(separator: " "))
        return keys.accessTokens.token(claims, type: behaviour.accessTokenType, now: now)
    }

    /// A signed ID token. It names the subject and nothing of the profile.
    func signIDToken(for key: GrantKey, nonce: String?, accessToken: String, now: Date) -> String {
        var claims = registeredClaims(for: key, now: now)
        claims["nonce"] = nonce.map(JSONValue.string)
        let digest = SHA256.hash(data: Data(accessToken.utf8))
        claims["at_hash"] = .string(Base64URL.encode(Array(digest.prefix(16))))
        return keys.idTokens.token(claims, now: now)
    }

    private func registeredClaims(for key: GrantKey, now: Date) -> JSONObject {
        [
            "iss": .string(issuer), "sub": .string(String(grants[key]?.subject ?? key.personID)),
            "aud": .string(key.clientID), "iat": .integer(now.epochSeconds),
            "exp": .integer(now.epochSeconds + Int64(OnePassAccessToken.lifetime)), "jti": .string(UUID().uuidString),
        ]
    }
}
