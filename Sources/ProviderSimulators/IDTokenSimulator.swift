public import ProviderKit
public import ProviderKitTesting

/// A simulator that issues ID tokens (OpenID Connect Core §2): honest ones, or forged ones for tests.
public protocol IDTokenSimulator: Simulator {}

extension IDTokenSimulator {
    /// The defect of the ID tokens made from now on; `nil` for honest ones.
    public var forgery: IDTokenForgery? {
        get { mint.forgery }
        nonmutating set { mint.forgery = newValue }
    }

    /// Gives the ID tokens made from now on this claim, or removes it from them when `value` is `nil`.
    public func replaceClaim(_ name: String, with value: JSONValue?) {
        mint.replaceClaim(name, with: value)
    }

    /// The signing keys: to rotate, or to publish decoys beside them.
    public var keys: IssuerKeys { mint.keys }

    /// A logout token (OpenID Connect Back-Channel Logout 1.0 §2.4), which a client receives as `logout_token` of a form.
    ///
    /// - Parameters:
    ///   - subject: The user; `nil` for a token with a session alone.
    ///   - session: The provider's session (`sid`).
    ///   - clientID: The client.
    ///   - changes: Claims that replace the token's own; `null` removes one.
    /// - Returns: The token, two minutes before its end, honest or as ``forgery`` wants it.
    public func logoutToken(
        of subject: String?, session: String? = nil, for clientID: String, changing changes: JSONObject = [:]
    ) -> String {
        let (url, now, forgery) = core.withState { ($0.memory.url, $0.memory.now, $0.memory.mint.forgery) }
        var claims: JSONObject = [
            "iss": .string(url), "aud": .string(clientID), "iat": .integer(now.epochSeconds),
            "exp": .integer(now.epochSeconds + 120), "jti": .string(RandomText.alphanumeric(22)),
            "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
        ]
        claims["sub"] = subject.map(JSONValue.string)
        claims["sid"] = session.map(JSONValue.string)
        for (name, value) in changes { claims[name] = value.isNull ? nil : value }
        return mint.keys.token(claims, type: "logout+jwt", forging: forgery, now: now)
    }

    private var mint: IDTokenMint { core.read { $0.memory.mint } }
}
