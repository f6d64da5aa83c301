package import BrokerStore

/// Whether a session is valid, and if not, why. Every check of a session in the broker comes to this one.
package enum SessionState: String, Sendable {
    case live
    /// It was ended: signed out, revoked, or its refresh token was reused.
    case revoked
    /// Everything issued to its user before a certain moment was revoked.
    case superseded
    /// It was not used for too long, or is too old.
    case expired
    /// It would be live if its user were not disabled.
    case suspended

    /// - Parameters:
    ///   - session: The session's row.
    ///   - user: Its user.
    ///   - epoch: The epoch of the token or code that names the session, if there is one.
    ///   - now: The moment.
    ///   - rules: When the session expires by age; nil if it is named by a token that expires by itself.
    package init(
        _ session: Session, of user: User, epoch: Int64? = nil, at now: Timestamp, _ rules: SessionRules?
    ) {
        if session.revokedAt != nil {
            self = .revoked
        } else if session.epoch != user.epoch || epoch ?? user.epoch != user.epoch {
            self = .superseded
        } else if rules?.hasExpired(session, at: now) ?? false {
            self = .expired
        } else {
            self = user.isDisabled ? .suspended : .live
        }
    }

    /// Refuses a request in a session that is not live.
    ///
    /// - Throws: ``BrokerError/userDisabled``, or `ended` for every other state.
    func requireLive(or ended: BrokerError = .tokenExpired) throws(BrokerError) {
        switch self {
        case .live: return
        case .suspended: throw .userDisabled
        case .revoked, .superseded, .expired: throw ended
        }
    }
}

extension Transaction {
    /// Whether a user who granted a client access may still get a session for it.
    ///
    /// - Parameters:
    ///   - userKey: The user.
    ///   - epoch: The user's epoch at the time.
    ///   - parentID: The session in which the user granted it, if there was one.
    /// - Returns: false if the user or the session is gone, revoked or disabled.
    /// - Throws: ``StoreError``.
    func isGrantValid(ofUser userKey: Int64, epoch: Int64, in parentID: String?) throws(StoreError) -> Bool {
        guard let user = try user(key: userKey) else { return false }
        guard let parentID else { return user.epoch == epoch && !user.isDisabled }
        guard let parent = try session(id: parentID) else { return false }
        return SessionState(parent, of: user, epoch: epoch, at: now, nil) == .live
    }

    /// The identity that a session of the hosted pages began with; the sessions that come from it have begun with it too.
    func identityKey(ofSession id: String?) throws(StoreError) -> Int64? {
        guard let id else { return nil }
        return try session(id: id)?.identityKey
    }
}
