import Foundation
import ProviderKit

/// An access or refresh token.
struct AppleToken: Sendable {
    enum Kind: Sendable { case access, refresh }

    /// An hour, in seconds.
    static let lifetime = 3600

    let kind: Kind
    let clientID: String
    let personID: String
    /// `nil` for refresh tokens, which are valid until they are revoked.
    let expiresAt: Date?
    /// When a refresh token was used within the last day.
    var uses: [Date] = []

    func isLive(at now: Date) -> Bool { expiresAt.map { now < $0 } ?? true }
}

extension AppleState {
    /// A new access token.
    mutating func makeAccessToken(for personID: String, _ clientID: String) -> String {
        let now = now
        tokens = tokens.filter { $0.value.isLive(at: now) }
        let expires = now.addingTimeInterval(TimeInterval(AppleToken.lifetime))
        return store(AppleToken(kind: .access, clientID: clientID, personID: personID, expiresAt: expires))
    }

    /// A new refresh token.
    mutating func makeRefreshToken(for personID: String, _ clientID: String) -> String {
        store(AppleToken(kind: .refresh, clientID: clientID, personID: personID, expiresAt: nil))
    }

    private mutating func store(_ token: AppleToken) -> String {
        let letter = token.kind == .access ? "a" : "r"
        let value = "\(letter)\(RandomText.hex(32)).0.\(RandomText.alphanumeric(4)).\(RandomText.alphanumeric(22))"
        tokens[value] = token
        return value
    }

    /// The user of a refresh token of `application`; the token stays valid.
    mutating func useRefreshToken(
        _ value: String, by application: Application
    ) throws(OAuthFailure) -> String {
        guard value.isASCII, let token = tokens[value], token.kind == .refresh,
            token.clientID.hasSameBytes(as: application.clientID), person(token.personID) != nil
        else { throw .invalidGrant("The token has expired or has been revoked.") }
        let now = now
        let today = token.uses.filter { $0 > now.addingTimeInterval(-86_400) }
        if let limit = behaviour.refreshesPerDay, today.count >= limit { throw .throttled }
        tokens[value]?.uses = today + [now]
        return token.personID
    }

    /// Revokes a token of `application` and with it the user's consent for the team. Another token changes nothing,
    /// without an error.
    mutating func revoke(_ value: String, by application: Application) {
        guard value.isASCII, let token = tokens[value], token.isLive(at: now),
            token.clientID.hasSameBytes(as: application.clientID)
        else { return }
        removeConsent(key(token.personID, application.clientID))
    }
}
