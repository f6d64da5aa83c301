package import BrokerStore

/// When sessions expire, how their refresh tokens are renewed, and how many a user may have
/// (Docs/Decisions/0016-stable-refresh-tokens.md).
package struct SessionRules: Sendable, Hashable {
    /// How refresh tokens of Identity Toolkit (`rt1_`) are renewed. Those of OAuth clients (`ort1_`) always rotate
    /// (RFC 9700 §4.14.2).
    package let refreshTokens: Policy.RefreshTokens
    /// How many live sessions a user may have. The one used longest ago ends when another one begins.
    package let sessionsPerUser: Int

    /// How long a session may go unused: 30 days.
    static let idleLifetime = Duration.seconds(30 * 86_400)
    /// How long a session may live at all: 90 days.
    static let absoluteLifetime = Duration.seconds(90 * 86_400)
    /// How long the direct parent of a refresh token still gets the same successor. Firebase's JavaScript SDK retries a
    /// lost answer after 30 seconds.
    static let grace = Duration.seconds(60)
    /// How exactly the last use is recorded of a session whose refresh token stays the same.
    static let useInterval = Duration.seconds(3600)

    /// The time for which the addresses of sessions are stored after their last use.
    static let addressLifetime = Duration.seconds(30 * 86_400)

    package init(refreshTokens: Policy.RefreshTokens, sessionsPerUser: Int = Configuration.defaultSessionsPerUser) {
        self.refreshTokens = refreshTokens
        self.sessionsPerUser = sessionsPerUser
    }

    /// The rules for sessions of browsers and OAuth clients, with any policy.
    static let rotating = SessionRules(refreshTokens: .rotating)

    package init(_ configuration: Configuration) {
        self.init(
            refreshTokens: configuration.policy.refreshTokens, sessionsPerUser: configuration.sessionsPerUser)
    }

    /// The family whose sessions do not expire by age.
    package var ageless: Session.Family? { refreshTokens == .stable ? .identityToolkit : nil }

    /// Whether a session has expired by age at `now`.
    func hasExpired(_ session: Session, at now: Timestamp) -> Bool {
        let age = age(of: session.family, at: now)
        return session.latestUse < age.idleSince || session.createdAt < age.createdSince
    }

    /// The age up to which sessions of a family live.
    func age(of family: Session.Family, at now: Timestamp) -> SessionAge {
        guard family != ageless else {
            let longAgo = Timestamp(milliseconds: .min)
            return SessionAge(idleSince: longAgo, createdSince: longAgo)
        }
        return SessionAge(
            idleSince: now.advanced(by: .zero - Self.idleLifetime),
            createdSince: now.advanced(by: .zero - Self.absoluteLifetime))
    }
}

extension Transaction {
    /// Inserts a session and ends the user's sessions beyond the limit.
    func begin(_ session: Session, _ rules: SessionRules) throws(StoreError) {
        try insert(session)
        try limitSessions(besides: session, rules)
    }

    /// Ends the sessions of a session's user beyond the limit; `count` is the number of those that are not revoked, where it
    /// is known.
    func limitSessions(
        besides session: Session, _ rules: SessionRules, counted count: Int64? = nil
    ) throws(StoreError) {
        try limitSessions(
            of: session.userKey, to: rules.sessionsPerUser, besides: session.id, at: session.createdAt,
            reason: "the user has too many sessions", counted: count)
    }
}
