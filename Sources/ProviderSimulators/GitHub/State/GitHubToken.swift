import Crypto
import Foundation
import JOSE

/// An access token a person's application holds.
struct GitHubToken: Sendable {
    /// A GitHub App's token lives eight hours, its refresh token about six months.
    static let lifetime = 28_800
    static let refreshLifetime = 15_897_600
    /// An OAuth app's token dies after a year without use.
    static let idleLifetime: TimeInterval = 365 * 86_400
    /// The tokens that one user, client and scope list may have.
    static let limit = 10

    let id: Int64
    let value: String
    let grant: GitHubState.GrantKey
    let scopes: [String]
    let createdAt: Date
    var lastUsedAt: Date
    /// `nil` for tokens that do not expire.
    let expiresAt: Date?
    let refresh: Refresh?
    let cameFromDevice: Bool

    struct Refresh: Sendable {
        let value = "ghr_" + RandomText.alphanumeric(76)
        let expiresAt: Date

        init(now: Date) {
            expiresAt = now.addingTimeInterval(TimeInterval(GitHubToken.refreshLifetime))
        }
    }

    func isLive(at now: Date) -> Bool {
        if let expiresAt { return now < expiresAt }
        return now < lastUsedAt.addingTimeInterval(Self.idleLifetime)
    }

    /// The token's SHA-256 in hexadecimal, as the token check shows it.
    var digest: String {
        SHA256.hexadecimalHash(of: Data(value.utf8))
    }
}

extension GitHubState {
    /// Issues a token for scopes that a user grants a client now.
    mutating func grantedToken(for key: GrantKey, scopes: [String]) -> GitHubToken {
        let granted = application(key.clientID)?.kind == .oauthApp ? SimulatedGitHubScopes.normalised(scopes) : []
        grant(granted, to: key)
        return issueToken(for: key, scopes: granted)
    }

    /// Issues a token; the eleventh of its kind removes the oldest.
    mutating func issueToken(for key: GrantKey, scopes: [String], fromDevice: Bool = false) -> GitHubToken {
        removeOldestToken(like: key, scopes: scopes)
        let kind = application(key.clientID)?.kind ?? .oauthApp
        let refresh = kind == .gitHubApp(expiringTokens: true) ? GitHubToken.Refresh(now: now) : nil
        let token = GitHubToken(
            id: nextTokenID, value: (kind == .oauthApp ? "gho_" : "ghu_") + RandomText.alphanumeric(36), grant: key,
            scopes: kind == .oauthApp ? scopes : [], createdAt: now, lastUsedAt: now,
            expiresAt: refresh.map { _ in now.addingTimeInterval(TimeInterval(GitHubToken.lifetime)) },
            refresh: refresh, cameFromDevice: fromDevice)
        nextTokenID += 1
        tokens[token.value] = token
        return token
    }

    private mutating func removeOldestToken(like key: GrantKey, scopes: [String]) {
        let alike = tokens.values.filter { $0.grant == key && Set($0.scopes) == Set(scopes) }
        guard alike.count >= GitHubToken.limit else { return }
        // Ids grow with age, so tokens of the same second fall in the order they were made.
        if let oldest = alike.min(by: { $0.id < $1.id }) { tokens[oldest.value] = nil }
    }

    /// The live token of this value with its owner.
    func find(_ value: String) -> (token: GitHubToken, person: GitHubSimulator.Person)? {
        guard value.isASCII, let token = tokens[value], token.isLive(at: now),
            let person = person(token.grant.personID)
        else { return nil }
        return (token, person)
    }

    /// Trades a refresh token for a new pair; both old tokens die.
    mutating func refresh(
        _ value: String, for application: GitHubSimulator.Application, authenticated: Bool
    ) throws(GitHubOAuthFailure) -> GitHubToken {
        guard value.isASCII, let old = tokens.values.first(where: { $0.refresh?.value == value }),
            old.grant.clientID == application.clientID, let refresh = old.refresh, refresh.expiresAt > now,
            person(old.grant.personID) != nil
        else { throw .badRefreshToken }
        guard authenticated || old.cameFromDevice else { throw .incorrectClientCredentials }
        tokens[old.value] = nil
        return issueToken(for: old.grant, scopes: old.scopes, fromDevice: old.cameFromDevice)
    }
}
