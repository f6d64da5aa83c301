import Foundation

/// The proofs that the owner of an account agrees to its merge: one-time passwords by mail, and session tokens that
/// another device shows.
struct OnePassMergeCredentials: Sendable {
    /// Five minutes.
    static let lifetime: TimeInterval = 300

    private struct SessionToken: Sendable {
        let personID: Int64
        let expiresAt: Date
        var isConsumed = false
    }

    private var passwords: [Int64: String] = [:]
    private var sessionTokens: [String: SessionToken] = [:]

    /// The code that was mailed to the owner of an account.
    mutating func makePassword(for personID: Int64) -> String {
        let password = (0..<6).map { _ in String(Int.random(in: 0...9)) }.joined()
        passwords[personID] = password
        return password
    }

    mutating func makeSessionToken(for personID: Int64, now: Date) -> String {
        let token = "ltgt_" + RandomText.alphanumeric(32)
        sessionTokens[token] = SessionToken(personID: personID, expiresAt: now.addingTimeInterval(Self.lifetime))
        return token
    }

    /// Consumes a password.
    mutating func consume(password: String, of personID: Int64) throws(OAuthFailure) {
        guard let known = passwords[personID], known.hasSameBytes(as: password) else {
            throw OAuthFailure("invalid_token", nil, status: 401)
        }
        passwords[personID] = nil
    }

    /// Consumes a session token, and returns its user.
    mutating func consume(sessionToken: String, now: Date) throws(OAuthFailure) -> Int64 {
        guard sessionToken.isASCII, let token = sessionTokens[sessionToken] else {
            throw OAuthFailure("invalid_token", nil, status: 401)
        }
        guard !token.isConsumed else { throw OAuthFailure("token_consumed", nil, status: 401) }
        guard token.expiresAt > now else { throw OAuthFailure("token_expired", nil, status: 401) }
        sessionTokens[sessionToken]?.isConsumed = true
        return token.personID
    }
}
