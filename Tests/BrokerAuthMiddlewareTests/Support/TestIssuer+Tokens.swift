import JOSE
import StrictJSON

/// The tokens that an issuer signs, with changes that a test makes; `null` removes a claim.
extension TestIssuer {
    static let client = "client-1"

    func accessToken(_ changes: JSONObject = [:], type: String = "at+jwt", by signer: TokenSigner? = nil) throws
        -> String
    {
        var claims: JSONObject = [
            "iss": .string(url), "sub": "ada", "aud": .string(Self.client), "client_id": .string(Self.client),
            "scope": "openid profile", "jti": "t1",
        ]
        add(times: &claims)
        claims["sid"] = "session-1"
        return try (signer ?? oauth).token(claims: claims.changed(changes), type: type)
    }

    /// An ID token of OpenID Connect: for the client alone.
    func clientIDToken() throws -> String {
        var claims: JSONObject = ["iss": .string(url), "sub": "ada", "aud": .string(Self.client), "sid": "session-1"]
        add(times: &claims)
        return try oauth.token(claims: claims)
    }

    func idToken(_ changes: JSONObject = [:], type: String = "JWT", by signer: TokenSigner? = nil) throws -> String {
        try (signer ?? toolkit).token(claims: toolkitClaims(toolkitIssuer).changed(changes), type: type)
    }

    func sessionCookie(_ changes: JSONObject = [:]) throws -> String {
        try toolkit.token(claims: toolkitClaims(cookieIssuer).changed(changes))
    }

    private func toolkitClaims(_ issuer: String) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": "ada", "user_id": "ada", "aud": .string(Self.project), "role": "editor",
            "broker": ["sid": "session-1", "epoch": 0],
        ]
        add(times: &claims)
        return claims
    }

    private func add(times claims: inout JSONObject) {
        let now = clock.seconds
        claims["iat"] = .integer(now)
        claims["auth_time"] = .integer(now - 100)
        claims["exp"] = .integer(now + 3600)
    }
}

extension JSONObject {
    fileprivate func changed(_ changes: JSONObject) -> JSONObject {
        var result = self
        for (name, value) in changes { result[name] = value.isNull ? nil : value }
        return result
    }
}

/// A token with whatever header one wants, signed over it.
func signed(_ header: JSONObject, _ claims: String, _ key: PrivateSigningKey) throws -> String {
    let input = Base64URL.encode(header.serialized().utf8) + "." + Base64URL.encode(claims.utf8)
    return input + "." + Base64URL.encode(try key.sign(Array(input.utf8)))
}
