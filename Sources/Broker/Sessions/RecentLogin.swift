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
        try requireWindow(facts.session, at: now)
    }

    /// Requires one side's login for a merge that its user asks for, or for its undo: recent under every policy, and of the
    /// class that links require. The user who goes also needs the login that deletes.
    ///
    /// - Throws: ``BrokerError/stepUpRequired(_:)``, ``BrokerError/recentLoginRequired``.
    func requireForMerge(_ session: Session, goes: Bool = false, at now: Timestamp) throws(BrokerError) {
        try policy.requireStepUp(at: .link, session, at: now)
        if goes { try policy.requireStepUp(at: .delete, session, at: now) }
        try requireWindow(session, at: now)
    }

    /// Requires a recent login for the export of a user's data, under every policy, of the class that reading the account
    /// requires.
    ///
    /// - Throws: ``BrokerError/stepUpRequired(_:)``, ``BrokerError/recentLoginRequired``.
    func requireForExport(_ facts: SessionFacts, at now: Timestamp) throws(BrokerError) {
        guard facts.canLogInAgain else { return }
        try policy.requireStepUp(at: .lookup, facts.session, at: now)
        try requireWindow(facts.session, at: now)
    }

    private func requireWindow(_ session: Session, at now: Timestamp) throws(BrokerError) {
        // A session that a merge gave to this user began with a login of another one.
        guard session.mergedAt == nil else { throw .recentLoginRequired }
        guard Self.isRecent(session.authTime, at: now) else { throw .recentLoginRequired }
    }

    /// Whether a login is recent. One in the future was made while a clock was wrong, and is not.
    ///
    /// - Parameters:
    ///   - authTime: Its time, in whole seconds since 1970.
    ///   - now: The moment.
    /// - Returns: Whether it is at most ``window`` old.
    static func isRecent(_ authTime: Int64, at now: Timestamp) -> Bool {
        let (age, isFarAway) = now.seconds.subtractingReportingOverflow(authTime)
        return !isFarAway && (-TokenRules.clockSkew...window).contains(age)
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
