import Foundation
import ProviderKit

/// An access token an application holds, with the refresh token on the same row.
struct GitLabToken: Sendable {
    /// Two hours, for everybody.
    static let lifetime = 7200

    let value: String
    /// Valid until it is used or revoked.
    let refreshValue: String?
    let grant: GitLabState.GrantKey
    let scopes: [String]
    let createdAt: Date
    /// When the user last signed in at the installation.
    let authenticatedAt: Date
    /// The same for all tokens that were refreshed from one another.
    let family: String
    var isRevoked = false

    var expiresAt: Date { createdAt.addingTimeInterval(TimeInterval(Self.lifetime)) }

    func isLive(at now: Date) -> Bool { !isRevoked && now < expiresAt }

    /// Whole seconds until it ends.
    func remaining(at now: Date) -> Int64 { max(expiresAt.epochSeconds - now.epochSeconds, 0) }
}

/// The reason a token is refused.
enum GitLabTokenProblem: Error, Sendable {
    case missing, unknown, expired, revoked
}

extension GitLabState {
    /// Issues a token for scopes that a user grants a client now; all of the registration when `scopes` is `nil`.
    mutating func grantedToken(for person: Person, _ application: Application, scopes: [String]?) -> GitLabToken {
        let key = GrantKey(clientID: application.clientID, personID: person.id)
        let scopes = scopes ?? application.scopes
        grant(scopes, to: key)
        return issueToken(for: key, scopes: scopes)
    }

    /// Issues a token.
    mutating func issueToken(
        for key: GrantKey, scopes: [String], withRefresh: Bool = true, authenticatedAt: Date? = nil,
        family: String? = nil
    ) -> GitLabToken {
        let token = GitLabToken(
            value: RandomText.hex(64), refreshValue: withRefresh ? RandomText.hex(64) : nil, grant: key,
            scopes: scopes, createdAt: now, authenticatedAt: authenticatedAt ?? now,
            family: family ?? RandomText.hex(32))
        tokens[token.value] = token
        return token
    }

    /// The live token of this value with its owner.
    func find(
        _ value: String?
    ) throws(GitLabTokenProblem) -> (token: GitLabToken, person: GitLabSimulator.Person) {
        guard let value else { throw .missing }
        guard value.isASCII, let token = tokens[value], let person = person(token.grant.personID),
            application(token.grant.clientID) != nil
        else { throw .unknown }
        guard !token.isRevoked else { throw .revoked }
        guard token.isLive(at: now) else { throw .expired }
        return (token, person)
    }

    /// Trades a refresh token for a new pair; both old tokens die at once. A token that was used before ends everything
    /// that was refreshed from it.
    mutating func refresh(
        _ value: String, for application: GitLabSimulator.Application, scopes: [String]?
    ) throws(OAuthFailure) -> GitLabToken {
        guard value.isASCII, let old = tokens.values.first(where: { $0.refreshValue == value }),
            old.grant.clientID.hasSameBytes(as: application.clientID), person(old.grant.personID) != nil
        else { throw GitLabFailure.invalidGrant }
        guard !old.isRevoked else {
            for token in tokens.values where token.family == old.family { tokens[token.value]?.isRevoked = true }
            throw GitLabFailure.invalidGrant
        }
        guard (scopes ?? []).allSatisfy(old.scopes.contains) else { throw GitLabFailure.invalidScope }
        tokens[old.value]?.isRevoked = true
        return issueToken(
            for: old.grant, scopes: scopes ?? old.scopes, authenticatedAt: old.authenticatedAt, family: old.family)
    }

    /// The token this value is the access or refresh half of.
    func token(holding value: String) -> GitLabToken? {
        guard value.isASCII else { return nil }
        return tokens[value] ?? tokens.values.first { $0.refreshValue == value }
    }
}
