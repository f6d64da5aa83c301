import Foundation

/// What a person is asked to consent to.
struct OnePassAuthorization: Sendable {
    let clientID: String
    let redirectURI: String
    let scopes: OnePassScopeRequest
    let state: String
    let nonce: String?
    let codeChallenge: CodeChallenge
    let expiresAt: Date
}

/// A code that waits to be redeemed.
struct OnePassCode: Sendable {
    /// Ten minutes.
    static let lifetime: TimeInterval = 600

    let grant: OnePassState.GrantKey
    let redirectURI: String
    let scopes: [String]
    let nonce: String?
    let codeChallenge: CodeChallenge
    let expiresAt: Date
    /// Names the tokens the code was redeemed for, so that a second redemption ends them.
    let family = RandomText.hex(16)
    var isRedeemed = false
}

extension OnePassState {
    /// Makes a code for what a person has just granted.
    mutating func makeCode(
        for personID: Int64, scopes: [String], answering authorization: OnePassAuthorization, now: Date
    ) -> String {
        codes = codes.filter { $0.value.expiresAt > now }
        let code = RandomText.awkward(24)
        codes[code] = OnePassCode(
            grant: grant(scopes, of: personID, to: authorization.clientID), redirectURI: authorization.redirectURI,
            scopes: scopes, nonce: authorization.nonce, codeChallenge: authorization.codeChallenge,
            expiresAt: now.addingTimeInterval(OnePassCode.lifetime))
        return code
    }

    /// Redeems a code, once; a second try ends what the first one got (RFC 6749 §4.1.2).
    mutating func redeem(
        _ form: FormFields, for application: OnePassSimulator.Application, now: Date
    ) throws(OAuthFailure) -> OnePassTokens {
        guard let code = form["code"], let redirectURI = form["redirect_uri"], let verifier = form["code_verifier"]
        else { throw OAuthFailure("invalid_request", "code, redirect_uri and code_verifier are required.") }
        guard code.isASCII, let pending = codes[code], pending.grant.clientID == application.clientID,
            pending.expiresAt > now, person(pending.grant.personID) != nil
        else { throw .invalidGrant("The code is unknown, expired or another client's.") }
        guard !pending.isRedeemed else {
            endFamily(pending.family)
            throw .invalidGrant("The code has been redeemed.")
        }
        guard redirectURI.utf8.elementsEqual(pending.redirectURI.utf8) else {
            throw .invalidGrant("The redirect_uri is not the one of the authorization request.")
        }
        guard pending.codeChallenge.isAnswered(by: verifier) else {
            throw .invalidGrant("The code_verifier does not fit the code_challenge.")
        }
        codes[code]?.isRedeemed = true
        return issueTokens(
            for: pending.grant, scopes: pending.scopes, nonce: pending.nonce, family: pending.family, now: now)
    }
}

extension RandomText {
    /// Letters and digits with the characters in them that a form changes unless they are encoded.
    static func awkward(_ count: Int) -> String {
        alphanumeric(count) + "+" + alphanumeric(count) + "/" + alphanumeric(4) + "=="
    }
}
