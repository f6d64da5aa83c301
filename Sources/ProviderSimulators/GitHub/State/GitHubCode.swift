import Foundation

/// What a person is asked to consent to.
struct GitHubAuthorization: Sendable {
    let clientID: String
    /// The redirect URI as requested; `nil` when the registered callback was meant.
    let redirectURI: String?
    /// Where a code goes.
    let target: String
    /// Where errors go.
    let registered: String
    /// The scopes asked for; `nil` when the request named none.
    let scopes: [String]?
    let state: String?
    let codeChallenge: String?
    let expiresAt: Date
}

/// A code that waits to be redeemed.
struct GitHubCode: Sendable {
    /// Ten minutes.
    static let lifetime: TimeInterval = 600

    let grant: GitHubState.GrantKey
    let redirectURI: String?
    let scopes: [String]
    let codeChallenge: String?
    let expiresAt: Date

    /// Whether `verifier` is the one the challenge was made from (RFC 7636 §4.6, S256).
    func isAnswered(by verifier: String?) -> Bool {
        codeChallenge.map { CodeChallenge(value: $0).isAnswered(by: verifier) } ?? true
    }
}

extension GitHubState {
    /// Makes a code for what a person has just granted.
    mutating func makeCode(
        _ key: GrantKey, redirectURI: String?, scopes: [String], codeChallenge: String?, now: Date
    ) -> String {
        codes = codes.filter { $0.value.expiresAt > now }
        let isOAuthApp = application(key.clientID)?.kind == .oauthApp
        let granted = isOAuthApp ? GitHubScopes.normalised(scopes) : []
        grant(granted, to: key)
        let code = RandomText.hex(20)
        codes[code] = GitHubCode(
            grant: key, redirectURI: redirectURI, scopes: granted, codeChallenge: codeChallenge,
            expiresAt: now.addingTimeInterval(GitHubCode.lifetime))
        return code
    }

    /// Redeems a code, once.
    mutating func redeem(
        _ code: String, for application: GitHubSimulator.Application, redirectURI: String?, verifier: String?, now: Date
    ) throws(GitHubOAuthFailure) -> GitHubToken {
        guard code.isASCII, let pending = codes[code], pending.grant.clientID == application.clientID,
            pending.expiresAt > now, let person = person(pending.grant.personID),
            !checksCodeChallenge || pending.isAnswered(by: verifier)
        else { throw .badVerificationCode }
        if let redirectURI {
            let expected = pending.redirectURI ?? application.callbackURL
            guard redirectURI.utf8.elementsEqual(expected.utf8) else { throw .redirectURIMismatch }
        }
        guard !requiresVerifiedEmail || person.hasVerifiedPrimaryEmail else { throw .unverifiedUserEmail }
        codes[code] = nil
        return issueToken(for: pending.grant, scopes: pending.scopes, now: now)
    }
}
