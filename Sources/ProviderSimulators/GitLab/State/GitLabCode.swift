import Foundation
import ProviderKit

extension GitLabState {
    /// Issues a code for what a user has just granted.
    mutating func issueCode(for request: SimulatedAuthorizationRequest, to personID: Int64, scopes: [String]) -> String
    {
        grant(scopes, to: GrantKey(clientID: request.clientID, personID: personID))
        return memory.store(RandomText.hex(64), for: request, personID: personID, scopes: scopes, lifetime: 600)
    }

    /// Redeems a code, once. A second redemption revokes the token of the first one.
    mutating func redeem(
        _ value: String, for application: Application, redirectURI: String, verifier: String?
    ) throws(OAuthFailure) -> (token: GitLabToken, nonce: String?) {
        guard let code = memory.code(value), code.grant.clientID.hasSameBytes(as: application.clientID) else {
            throw GitLabFailure.invalidGrant
        }
        if let earlier = code.redemption {
            tokens[earlier]?.isRevoked = true
            throw GitLabFailure.invalidGrant
        }
        guard code.expiresAt > now, person(code.grant.personID) != nil,
            redirectURI.hasSameBytes(as: code.redirectURI)
        else { throw GitLabFailure.invalidGrant }
        if let challenge = code.codeChallenge {
            guard let verifier, !verifier.isEmpty else { throw GitLabFailure.missing("code_verifier") }
            guard challenge.isAnswered(by: verifier) else { throw GitLabFailure.invalidGrant }
        } else if verifier?.isEmpty == false {
            throw GitLabFailure.invalidGrant
        }
        let token = issueToken(for: code.grant, scopes: code.scopes)
        memory.codes[value]?.redemption = token.value
        return (token, code.nonce)
    }
}
