import Foundation
import StrictJSON

/// Verified tokens on their way into a session.
struct VerifiedTokens: Sendable {
    let answer: TokenAnswer
    let claims: IDTokenClaims
    let receivedAt: Date

    /// When the access token expires.
    var expiresAt: Date { min(receivedAt.addingTimeInterval(TimeInterval(answer.expiresIn)), claims.expiresAt) }
}

extension StoredSession {
    /// The session after new tokens.
    ///
    /// - Parameters:
    ///   - tokens: The tokens.
    ///   - purpose: What they were requested for; `nil` for a refresh.
    ///   - provider: The provider of a sign-in, if known.
    ///   - isAnonymous: Whether the sign-in was anonymous.
    /// - Returns: The session to store.
    func following(
        _ tokens: VerifiedTokens, for purpose: SignInPurpose?, provider: ProviderID?, isAnonymous: Bool
    ) -> StoredSession {
        var next = StoredSession()
        next.take(tokens)
        // A link's answer has none: the session continues with the one it has.
        if purpose != .signIn { next.refreshToken = tokens.answer.refreshToken ?? refreshToken }
        switch purpose {
        case .signIn, .reauthenticate: (next.provider, next.isAnonymous) = (provider?.rawValue, isAnonymous)
        case .link: next.provider = self.provider ?? provider?.rawValue
        case nil: (next.provider, next.isAnonymous) = (self.provider, self.isAnonymous && !tokens.answer.isPromoted)
        }
        // What the broker says replaces what the app knows.
        if let provider = tokens.claims.signInProvider { next.provider = provider.known?.rawValue }
        if let isAnonymous = tokens.claims.isAnonymous { next.isAnonymous = isAnonymous }
        if purpose != .signIn { next.highAssuranceSessionID = highAssuranceSessionID }
        return next
    }

    /// Whether refreshed tokens are of the session's user (OpenID Connect Core §12.2), or of one that the broker has merged
    /// the user into.
    func isContinued(by claims: IDTokenClaims, mergedFrom: [String]) -> Bool {
        guard let userID else { return true }
        return claims.subject.hasSameBytes(as: userID) || mergedFrom.contains { $0.hasSameBytes(as: userID) }
    }

    private mutating func take(_ tokens: VerifiedTokens) {
        let (answer, claims) = (tokens.answer, tokens.claims)
        userID = claims.subject
        refreshToken = answer.refreshToken
        accessToken = answer.accessToken
        idToken = answer.idToken
        expiresAt = tokens.expiresAt
        (email, isEmailVerified) = (claims.email, claims.isEmailVerified)
        (name, picture) = (claims.name, claims.picture)
        (authTime, sessionID) = (claims.authTime, claims.sessionID)
        scopes = answer.scopes.sorted()
    }
}
