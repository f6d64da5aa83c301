import Foundation

extension OnePassState {
    /// Issues a code for what a user has just granted.
    mutating func issueCode(for request: SimulatedAuthorizationRequest, to personID: Int64, scopes: [String]) -> String
    {
        let key = grant(scopes, of: personID, to: request.clientID)
        return memory.store(
            RandomText.awkward(24), for: request, personID: key.personID, scopes: scopes, lifetime: 600)
    }

    /// Redeems a code, once; a second redemption revokes the tokens of the first one (RFC 6749 §4.1.2).
    mutating func redeem(_ form: FormFields, for application: Application) throws(OAuthFailure) -> OnePassTokens {
        guard let value = form["code"], let redirectURI = form["redirect_uri"], let verifier = form["code_verifier"]
        else { throw .invalidRequest("code, redirect_uri and code_verifier are required.") }
        guard let code = memory.code(value), code.grant.clientID == application.clientID, code.expiresAt > now,
            person(code.grant.personID) != nil
        else { throw .invalidGrant("The code is unknown, expired or another client's.") }
        if let family = code.redemption {
            endFamily(family)
            throw .invalidGrant("The code has been redeemed.")
        }
        guard redirectURI.hasSameBytes(as: code.redirectURI) else {
            throw .invalidGrant("The redirect_uri is not the one of the authorization request.")
        }
        guard code.codeChallenge?.isAnswered(by: verifier) ?? false else {
            throw .invalidGrant("The code_verifier does not fit the code_challenge.")
        }
        let family = RandomText.hex(16)
        memory.codes[value]?.redemption = family
        return issueTokens(for: code.grant, scopes: code.scopes, nonce: code.nonce, family: family)
    }
}

extension RandomText {
    /// Letters and digits with the characters in them that a form changes unless they are encoded.
    static func awkward(_ count: Int) -> String {
        alphanumeric(count) + "+" + alphanumeric(count) + "/" + alphanumeric(4) + "=="
    }
}
