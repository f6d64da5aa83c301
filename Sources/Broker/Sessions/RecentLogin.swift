import BrokerStore

/// The rule that sensitive operations require a login of the last five minutes, by the session's own `auth_time`.
struct RecentLogin: Sendable {
    let policy: Policy

    /// Seconds a login counts as recent.
    static let window: Int64 = 300

    /// Step-up rules of the operation's route come first. Users who cannot log in again may link and delete without.
    ///
    /// - Throws: ``BrokerError/stepUpRequired(_:)``, ``BrokerError/recentLoginRequired``.
    func require(
        for operation: Policy.SensitiveOperation, _ facts: SessionFacts, at now: Timestamp
    ) throws(BrokerError) {
        if !facts.canLogInAgain, operation == .link || operation == .delete { return }
        try policy.requireStepUp(at: operation.route, facts.session, at: now)
        guard policy.wantsRecentLogin(operation) else { return }
        // A session that a merge gave to this user began with a login of another one.
        guard facts.session.mergedAt == nil else { throw .recentLoginRequired }
        // A login in the future was made while a clock was wrong, and is not recent.
        let (age, isFarAway) = now.seconds.subtractingReportingOverflow(facts.session.authTime)
        guard !isFarAway, (-TokenRules.clockSkew...Self.window).contains(age) else { throw .recentLoginRequired }
    }
}

extension SessionFacts {
    /// Whether the user has a login to repeat: an identity, or custom tokens. An anonymous user has none, nor has one
    /// whose last identity was removed.
    var canLogInAgain: Bool { !identities.isEmpty || user.isCustomAuth }
}

extension Policy.SensitiveOperation {
    fileprivate var route: StepUpRule.Route {
        switch self {
        case .delete: .delete
        case .link: .link
        case .unlink, .emailChange: .update
        }
    }
}
