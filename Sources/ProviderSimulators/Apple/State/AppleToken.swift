import Foundation

/// A token a client holds for one person.
struct AppleToken: Sendable {
    enum Kind: Sendable { case access, refresh }

    /// An hour, in seconds.
    static let lifetime = 3600

    let kind: Kind
    let clientID: String
    let personID: String
    /// `nil` for refresh tokens, which live until they are revoked.
    let expiresAt: Date?
    /// When a refresh token was used within the last day.
    var uses: [Date] = []

    func isLive(at now: Date) -> Bool { expiresAt.map { now < $0 } ?? true }
}

extension AppleState {
    /// A new access token.
    mutating func makeAccessToken(for personID: String, _ clientID: String, now: Date) -> String {
        tokens = tokens.filter { $0.value.isLive(at: now) }
        let expires = now.addingTimeInterval(TimeInterval(AppleToken.lifetime))
        return keep(AppleToken(kind: .access, clientID: clientID, personID: personID, expiresAt: expires))
    }

    /// A new refresh token.
    mutating func makeRefreshToken(for personID: String, _ clientID: String) -> String {
        keep(AppleToken(kind: .refresh, clientID: clientID, personID: personID, expiresAt: nil))
    }

    private mutating func keep(_ token: AppleToken) -> String {
        let letter = token.kind == .access ? "a" : "r"
        let value = "\(letter)\(RandomText.hex(32)).0.\(RandomText.alphanumeric(4)).\(RandomText.alphanumeric(22))"
        tokens[value] = token
        return value
    }

    /// The person behind a refresh token of `application`; it stays as it is.
    mutating func useRefreshToken(
        _ value: String, by application: AppleSimulator.Application, now: Date
    ) throws(OAuthFailure) -> String {
        guard value.isASCII, let token = tokens[value], token.kind == .refresh,
            token.clientID.utf8.elementsEqual(application.clientID.utf8), person(token.personID) != nil
        else { throw .invalidGrant("The token has expired or has been revoked.") }
        let today = token.uses.filter { $0 > now.addingTimeInterval(-86_400) }
        if let limit = behaviour.refreshesPerDay, today.count >= limit { throw .throttled }
        tokens[value]?.uses = today + [now]
        return token.personID
    }

    /// Revokes a token of `application` and with it everything its person let the team do. Any other token is left
    /// alone, and nobody is told.
    mutating func revoke(_ value: String, by application: AppleSimulator.Application, now: Date) {
        guard value.isASCII, let token = tokens[value], token.isLive(at: now),
            token.clientID.utf8.elementsEqual(application.clientID.utf8)
        else { return }
        removeConsent(key(token.personID, application.clientID))
    }
}
