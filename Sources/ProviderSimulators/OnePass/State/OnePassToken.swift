import Foundation
import ProviderKit

/// An access token: signed, and stored so that userinfo can see its revocation.
struct OnePassAccessToken: Sendable {
    static let lifetime = 900

    let grant: OnePassState.GrantKey
    let scopes: [String]
    let family: String
    let expiresAt: Date
}

/// A refresh token, single-use while tokens rotate.
struct OnePassRefreshToken: Sendable {
    static let lifetime: TimeInterval = 30 * 86_400

    let grant: OnePassState.GrantKey
    let scopes: [String]
    let family: String
    let expiresAt: Date
    var isUsed = false
}

/// The tokens of a token response.
struct OnePassTokens: Sendable {
    let accessToken: String
    let refreshToken: String?
    let idToken: String?
    let scopes: [String]

    var json: JSONValue {
        var members: JSONObject = [
            "access_token": .string(accessToken), "token_type": "Bearer",
            "expires_in": .integer(OnePassAccessToken.lifetime), "scope": .string(scopes.joined(separator: " ")),
        ]
        members["refresh_token"] = refreshToken.map(JSONValue.string)
        members["id_token"] = idToken.map(JSONValue.string)
        return .object(members)
    }
}

extension OnePassState {
    /// Issues tokens for a grant that a user makes now.
    mutating func signIn(
        _ personID: Int64, to clientID: String, scopes: [String], nonce: String? = nil
    ) -> OnePassTokens {
        let key = grant(scopes, of: personID, to: clientID)
        return issueTokens(for: key, scopes: scopes, nonce: nonce, family: RandomText.hex(16))
    }

    /// Issues tokens; `isRenewal` says that they come from a refresh token.
    mutating func issueTokens(
        for key: GrantKey, scopes: [String], nonce: String?, family: String, isRenewal: Bool = false
    ) -> OnePassTokens {
        issuedTokens = issuedTokens.filter { $0.value.expiresAt > now }
        let accessToken = signAccessToken(for: key, scopes: scopes)
        issuedTokens[accessToken] = OnePassAccessToken(
            grant: key, scopes: scopes, family: family,
            expiresAt: now.addingTimeInterval(TimeInterval(OnePassAccessToken.lifetime)))
        let hasIDToken = scopes.contains("openid") && (!isRenewal || behaviour.refreshesIDTokens)
        return OnePassTokens(
            accessToken: accessToken,
            refreshToken: isRenewal && !behaviour.rotatesRefreshTokens
                ? nil : makeRefreshToken(for: key, scopes: scopes, family: family),
            idToken: hasIDToken ? signIDToken(for: key, nonce: nonce, accessToken: accessToken) : nil,
            scopes: scopes)
    }

    /// Trades a refresh token for new tokens. A consumed one revokes all tokens of the same sign-in.
    mutating func refresh(
        _ form: FormFields, for application: Application
    ) throws(OAuthFailure) -> OnePassTokens {
        guard let value = form["refresh_token"] else {
            throw .invalidRequest("refresh_token is required.")
        }
        guard value.isASCII, let token = refreshTokens[value], token.grant.clientID == application.clientID,
            token.expiresAt > now, person(token.grant.personID) != nil
        else { throw .invalidGrant("The refresh token is unknown, expired or another client's.") }
        guard !token.isUsed else {
            endFamily(token.family)
            throw .invalidGrant("The refresh token has been used.")
        }
        if behaviour.rotatesRefreshTokens { refreshTokens[value]?.isUsed = true }
        return issueTokens(
            for: token.grant, scopes: token.scopes, nonce: nil, family: token.family, isRenewal: true)
    }

    /// Revokes a token of this client and all tokens of the same sign-in.
    mutating func revoke(_ value: String, of clientID: String) {
        guard value.isASCII else { return }
        let found = issuedTokens[value].map { ($0.grant, $0.family) }
        guard let (grant, family) = found ?? refreshTokens[value].map({ ($0.grant, $0.family) }),
            grant.clientID == clientID
        else { return }
        endFamily(family)
    }

    /// The valid access token of this value.
    func accessToken(_ value: String?) -> OnePassAccessToken? {
        guard let value, value.isASCII, let token = issuedTokens[value], token.expiresAt > now else { return nil }
        return token
    }

    mutating func endFamily(_ family: String) {
        issuedTokens = issuedTokens.filter { $0.value.family != family }
        refreshTokens = refreshTokens.filter { $0.value.family != family || $0.value.isUsed }
    }

    private mutating func makeRefreshToken(
        for key: GrantKey, scopes: [String], family: String
    ) -> String {
        refreshTokens = refreshTokens.filter { $0.value.expiresAt > now }
        let value = RandomText.awkward(32)
        refreshTokens[value] = OnePassRefreshToken(
            grant: key, scopes: scopes, family: family, expiresAt: now.addingTimeInterval(OnePassRefreshToken.lifetime))
        return value
    }
}
