import Foundation
import ProviderKit

/// A user's grant to a client.
struct OpenIDGrant: Sendable {
    let key: OpenIDState.GrantKey
    let scopes: [String]
    var nonce: String?
}

/// An access or refresh token.
struct OpenIDToken: Sendable {
    /// An access token's lifetime in seconds: one hour.
    static let lifetime = 3600

    let grant: Int
    /// Never, for refresh tokens.
    let expiresAt: Date?
    /// Whether a refresh token is consumed.
    var isUsed = false
}

/// The tokens of one answer.
struct OpenIDTokenPair: Sendable {
    let accessToken: String
    let refreshToken: String
    let grant: OpenIDGrant
    /// Whether a refresh token was exchanged for it.
    var isRenewal = false
}

extension OpenIDState {
    /// Issues a code for what a user has just granted.
    mutating func issueCode(for request: SimulatedAuthorizationRequest, to subject: String, scopes: [String]) -> String
    {
        memory.store(
            "code-" + RandomText.alphanumeric(32), for: request, personID: subject, scopes: scopes, lifetime: 60)
    }

    /// Redeems a code, once; a second redemption revokes the grant of the first one.
    mutating func redeem(
        _ value: String, for application: Application, redirectURI: String?, verifier: String?
    ) throws(OAuthFailure) -> OpenIDTokenPair {
        guard let code = memory.code(value), code.grant.clientID.hasSameBytes(as: application.clientID) else {
            throw OAuthFailure("invalid_grant", "The code is unknown or was issued to another client.")
        }
        if let grant = code.redemption.flatMap({ Int($0) }) {
            removeGrant(grant)
            throw OAuthFailure("invalid_grant", "The code was used before.")
        }
        guard code.expiresAt > now, person(code.grant.personID) != nil else {
            throw OAuthFailure("invalid_grant", "The code has expired.")
        }
        guard code.redirectURI?.hasSameBytes(as: redirectURI) ?? false else {
            throw OAuthFailure("invalid_grant", "redirect_uri is not the one of the request.")
        }
        guard code.codeChallenge?.isAnswered(by: verifier) ?? (verifier == nil) else {
            throw OAuthFailure("invalid_grant", "code_verifier does not fit.")
        }
        let pair = issue(OpenIDGrant(key: code.grant, scopes: code.scopes, nonce: code.nonce))
        memory.codes[value]?.redemption = accessTokens[pair.accessToken].map { String($0.grant) }
        return pair
    }

    /// Stores a grant and issues its first tokens.
    mutating func issue(_ grant: OpenIDGrant) -> OpenIDTokenPair {
        issue(store(grant), grant)
    }

    private mutating func issue(_ number: Int, _ grant: OpenIDGrant) -> OpenIDTokenPair {
        let pair = OpenIDTokenPair(
            accessToken: "at-" + RandomText.alphanumeric(40), refreshToken: "rt-" + RandomText.alphanumeric(40),
            grant: grant)
        accessTokens[pair.accessToken] = OpenIDToken(
            grant: number, expiresAt: now.addingTimeInterval(TimeInterval(OpenIDToken.lifetime)))
        refreshTokens[pair.refreshToken] = OpenIDToken(grant: number, expiresAt: nil)
        return pair
    }

    /// Trades a refresh token for a new pair. A second use revokes the whole grant (RFC 9700 §4.14.2).
    mutating func refresh(
        _ value: String, for application: Application
    ) throws(OAuthFailure) -> OpenIDTokenPair {
        guard value.isASCII, let token = refreshTokens[value], var grant = grants[token.grant],
            grant.key.clientID.hasSameBytes(as: application.clientID), person(grant.key.personID) != nil
        else { throw OAuthFailure("invalid_grant", "The refresh token is unknown.") }
        guard !token.isUsed else {
            removeGrant(token.grant)
            throw OAuthFailure("invalid_grant", "The refresh token was used before.")
        }
        refreshTokens[value]?.isUsed = true
        // OpenID Connect Core §12.2: an ID token from a refresh has no nonce.
        grant.nonce = nil
        var pair = issue(token.grant, grant)
        pair.isRenewal = true
        return pair
    }

    /// The grant behind a valid access token.
    func grant(ofAccessToken value: String) -> OpenIDGrant? {
        guard value.isASCII, let token = accessTokens[value], token.expiresAt.map({ $0 > now }) ?? true else {
            return nil
        }
        return grants[token.grant]
    }

    /// Revokes a token of this client: a refresh token with its whole grant, an access token alone.
    ///
    /// - Returns: `false` when the client has no such token.
    mutating func revoke(_ value: String, of application: Application) -> Bool {
        guard value.isASCII, let token = refreshTokens[value] ?? accessTokens[value],
            grants[token.grant]?.key.clientID.hasSameBytes(as: application.clientID) ?? false
        else { return false }
        if refreshTokens[value] != nil {
            removeGrant(token.grant)
        } else {
            accessTokens[value] = nil
        }
        return true
    }
}
