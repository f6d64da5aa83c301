package import StrictJSON

/// A successful answer of the broker's token endpoint (RFC 6749 §5.1), as its clients read it.
package struct AccessTokenAnswer: Sendable {
    package let accessToken: String
    /// Seconds until the access token expires, where the answer says so.
    package let expiresIn: Int64?
    package let refreshToken: String?
    package let scopes: ScopeList

    /// Reads an answer; `nil` without a bearer token. A client must not use a token of an unknown type (§7.1).
    package init?(_ members: JSONObject) {
        guard let accessToken = members["access_token"]?.string, BearerCredentials.isToken(accessToken),
            members["token_type"]?.string?.lowercasedASCII.hasSameBytes(as: "bearer") ?? false
        else { return nil }
        self.accessToken = accessToken
        expiresIn = members["expires_in"]?.integer
        refreshToken = members["refresh_token"]?.string
        scopes = ScopeList(members["scope"]?.string ?? "")
    }
}
