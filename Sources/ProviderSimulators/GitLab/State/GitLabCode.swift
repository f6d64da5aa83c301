import Foundation
import ProviderKit

/// What a person is asked to consent to.
struct GitLabAuthorization: Sendable {
    let clientID: String
    let redirectURI: String
    let place: CallbackURI.Place
    let scopes: [String]
    let state: String?
    let nonce: String?
    let codeChallenge: CodeChallenge?
    let expiresAt: Date

    func key(_ personID: Int64) -> GitLabState.GrantKey {
        GitLabState.GrantKey(clientID: clientID, personID: personID)
    }
}

/// A code that waits to be redeemed, or was.
struct GitLabCode: Sendable {
    /// Ten minutes.
    static let lifetime: TimeInterval = 600

    let grant: GitLabState.GrantKey
    let redirectURI: String
    let scopes: [String]
    let nonce: String?
    let codeChallenge: CodeChallenge?
    let expiresAt: Date
    /// The token it was redeemed for.
    var accessToken: String?
}

extension GitLabState {
    /// Makes a code for what a person has just granted.
    mutating func makeCode(
        _ key: GrantKey, redirectURI: String, scopes: [String], nonce: String?, codeChallenge: CodeChallenge?,
        now: Date
    ) -> String {
        codes = codes.filter { $0.value.expiresAt.addingTimeInterval(3600) > now }
        grant(scopes, to: key)
        let code = RandomText.hex(64)
        codes[code] = GitLabCode(
            grant: key, redirectURI: redirectURI, scopes: scopes, nonce: nonce, codeChallenge: codeChallenge,
            expiresAt: now.addingTimeInterval(GitLabCode.lifetime))
        return code
    }

    /// Redeems a code, once. A second time ends what the first one got.
    mutating func redeem(
        _ code: String, for application: GitLabSimulator.Application, redirectURI: String, verifier: String?, now: Date
    ) throws(OAuthFailure) -> (token: GitLabToken, nonce: String?) {
        guard code.isASCII, let pending = codes[code],
            pending.grant.clientID.hasSameBytes(as: application.clientID)
        else { throw GitLabFailure.invalidGrant }
        if let earlier = pending.accessToken {
            tokens[earlier]?.isRevoked = true
            throw GitLabFailure.invalidGrant
        }
        guard pending.expiresAt > now, person(pending.grant.personID) != nil,
            CallbackURI(redirectURI).equals(pending.redirectURI)
        else { throw GitLabFailure.invalidGrant }
        if let challenge = pending.codeChallenge {
            guard let verifier, !verifier.isEmpty else { throw GitLabFailure.missing("code_verifier") }
            guard challenge.isAnswered(by: verifier) else { throw GitLabFailure.invalidGrant }
        } else if verifier?.isEmpty == false {
            throw GitLabFailure.invalidGrant
        }
        let token = issueToken(for: pending.grant, scopes: pending.scopes, now: now)
        codes[code]?.accessToken = token.value
        return (token, pending.nonce)
    }
}
