import Foundation

/// What a person is asked to consent to.
struct OpenIDAuthorization: Sendable {
    let clientID: String
    let redirectURI: String
    let scopes: [String]
    let state: String?
    let codeChallenge: CodeChallenge?
    let nonce: String?
    let expiresAt: Date
}

/// A code that waits to be redeemed.
struct OpenIDCode: Sendable {
    /// One minute.
    static let lifetime: TimeInterval = 60

    let clientID: String
    let subject: String
    let redirectURI: String
    let scopes: [String]
    let codeChallenge: CodeChallenge?
    let nonce: String?
    let expiresAt: Date
    /// The grant it became; a code that comes a second time ends that one (RFC 6749 §4.1.2).
    var grant: Int?
}

/// What a person granted a client.
struct OpenIDGrant: Sendable {
    let clientID: String
    let subject: String
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
    /// Whether a refresh token has had its successor.
    var isUsed = false
}

/// The tokens of one answer.
struct OpenIDTokenPair: Sendable {
    let accessToken: String
    let refreshToken: String
    let grant: OpenIDGrant
}

extension OpenIDState {
    /// Makes a code for what a person has just granted.
    mutating func makeCode(_ code: OpenIDCode, now: Date) -> String {
        codes = codes.filter { $0.value.expiresAt.addingTimeInterval(OpenIDCode.lifetime) > now }
        let value = "code-" + RandomText.alphanumeric(32)
        codes[value] = code
        return value
    }

    /// Redeems a code, once; the second time ends what the first one brought.
    mutating func redeem(
        _ value: String, for application: OpenIDSimulator.Application, redirectURI: String?, verifier: String?,
        now: Date
    ) throws(OAuthFailure) -> OpenIDTokenPair {
        guard value.isASCII, let code = codes[value], code.clientID.isSame(as: application.clientID) else {
            throw OAuthFailure("invalid_grant", "The code is unknown or was issued to another client.")
        }
        if let grant = code.grant {
            removeGrant(grant)
            throw OAuthFailure("invalid_grant", "The code was used before.")
        }
        guard code.expiresAt > now, person(code.subject) != nil else {
            throw OAuthFailure("invalid_grant", "The code has expired.")
        }
        guard code.redirectURI.isSame(as: redirectURI) else {
            throw OAuthFailure("invalid_grant", "redirect_uri is not the one of the request.")
        }
        guard code.codeChallenge?.isAnswered(by: verifier) ?? (verifier == nil) else {
            throw OAuthFailure("invalid_grant", "code_verifier does not fit.")
        }
        let grant = OpenIDGrant(
            clientID: code.clientID, subject: code.subject, scopes: code.scopes, nonce: code.nonce)
        let pair = issue(grant, now: now)
        codes[value]?.grant = accessTokens[pair.accessToken]?.grant
        return pair
    }

    /// Keeps a grant and makes its first tokens.
    mutating func issue(_ grant: OpenIDGrant, now: Date) -> OpenIDTokenPair {
        issue(keep(grant), grant, now: now)
    }

    private mutating func issue(_ number: Int, _ grant: OpenIDGrant, now: Date) -> OpenIDTokenPair {
        let pair = OpenIDTokenPair(
            accessToken: "at-" + RandomText.alphanumeric(40), refreshToken: "rt-" + RandomText.alphanumeric(40),
            grant: grant)
        accessTokens[pair.accessToken] = OpenIDToken(
            grant: number, expiresAt: now.addingTimeInterval(TimeInterval(OpenIDToken.lifetime)))
        refreshTokens[pair.refreshToken] = OpenIDToken(grant: number, expiresAt: nil)
        return pair
    }

    /// Trades a refresh token for a new pair. One that comes a second time ends the whole grant (RFC 9700 §4.14.2).
    mutating func refresh(
        _ value: String, for application: OpenIDSimulator.Application, now: Date
    ) throws(OAuthFailure) -> OpenIDTokenPair {
        guard value.isASCII, let token = refreshTokens[value], var grant = grants[token.grant],
            grant.clientID.isSame(as: application.clientID), person(grant.subject) != nil
        else { throw OAuthFailure("invalid_grant", "The refresh token is unknown.") }
        guard !token.isUsed else {
            removeGrant(token.grant)
            throw OAuthFailure("invalid_grant", "The refresh token was used before.")
        }
        refreshTokens[value]?.isUsed = true
        // OpenID Connect Core §12.2: an ID token from a refresh has no nonce.
        grant.nonce = nil
        return issue(token.grant, grant, now: now)
    }

    /// What the access token of this value is good for, while it lives.
    func grant(ofAccessToken value: String, now: Date) -> OpenIDGrant? {
        guard value.isASCII, let token = accessTokens[value], token.expiresAt.map({ $0 > now }) ?? true else {
            return nil
        }
        return grants[token.grant]
    }

    /// Ends a token of this client: a refresh token with its whole grant, an access token alone.
    ///
    /// - Returns: `false` when the client has no such token.
    mutating func revoke(_ value: String, of application: OpenIDSimulator.Application) -> Bool {
        guard value.isASCII, let token = refreshTokens[value] ?? accessTokens[value],
            grants[token.grant]?.clientID.isSame(as: application.clientID) ?? false
        else { return false }
        if refreshTokens[value] != nil {
            removeGrant(token.grant)
        } else {
            accessTokens[value] = nil
        }
        return true
    }
}
