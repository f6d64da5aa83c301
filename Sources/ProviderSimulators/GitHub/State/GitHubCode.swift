import Foundation

extension GitHubState {
    /// Issues a code for what a user has just granted.
    mutating func issueCode(for request: SimulatedAuthorizationRequest, to personID: Int64, scopes: [String]) -> String
    {
        let key = GrantKey(clientID: request.clientID, personID: personID)
        let granted = application(key.clientID)?.kind == .oauthApp ? SimulatedGitHubScopes.normalised(scopes) : []
        grant(granted, to: key)
        return memory.store(RandomText.hex(20), for: request, personID: personID, scopes: granted, lifetime: 600)
    }

    /// Redeems a code, once.
    mutating func redeem(
        _ value: String, for application: Application, redirectURI: String?, verifier: String?
    ) throws(GitHubOAuthFailure) -> GitHubToken {
        guard let code = memory.code(value), code.grant.clientID == application.clientID, code.expiresAt > now,
            let person = person(code.grant.personID),
            !options.checksCodeChallenge || code.codeChallenge?.isAnswered(by: verifier) ?? true
        else { throw .badVerificationCode }
        if let redirectURI {
            let expected = code.redirectURI ?? application.callbackURL
            guard redirectURI.hasSameBytes(as: expected) else { throw .redirectURIMismatch }
        }
        guard !requiresVerifiedEmail || person.hasVerifiedPrimaryEmail else { throw .unverifiedUserEmail }
        memory.codes[value] = nil
        return issueToken(for: code.grant, scopes: code.scopes)
    }
}
