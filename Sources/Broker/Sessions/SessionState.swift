package import BrokerStore

/// Whether a session still counts, and if not, why.
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

    package init(_ session: Session, of user: User, at now: Timestamp, _ rules: SessionRules) {
        if session.revokedAt != nil {
            self = .revoked
        } else if session.epoch != user.epoch {
            self = .superseded
        } else if rules.hasExpired(session, at: now) {
            self = .expired
        } else {
            self = user.isDisabled ? .suspended : .live
        }
    }
}
