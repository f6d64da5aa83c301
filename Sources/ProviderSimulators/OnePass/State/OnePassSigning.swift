import Foundation
import ProviderKit

extension OnePassState {
    /// A signed access token, whose audience is the client.
    func signAccessToken(for key: GrantKey, scopes: [String]) -> String {
        var claims = registeredClaims(for: key)
        claims["scope"] = .string(scopes.joined(separator: " "))
        return accessTokens.token(claims, type: behaviour.accessTokenType, now: now)
    }

    /// A signed ID token. It names the subject and nothing of the profile.
    func signIDToken(for key: GrantKey, nonce: String?, accessToken: String) -> String {
        var claims = registeredClaims(for: key)
        claims["nonce"] = nonce.map(JSONValue.string)
        claims["at_hash"] = IDTokenMint.halfHash(accessToken)
        return memory.mint.token(claims, now: now)
    }

    private func registeredClaims(for key: GrantKey) -> JSONObject {
        [
            "iss": .string(issuer), "sub": .string(String(grants[key]?.subject ?? key.personID)),
            "aud": .string(key.clientID), "iat": .integer(now.epochSeconds),
            "exp": .integer(now.epochSeconds + Int64(OnePassAccessToken.lifetime)), "jti": .string(UUID().uuidString),
        ]
    }
}
