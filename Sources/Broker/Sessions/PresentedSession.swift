package import BrokerStore

/// The session of a user who acts on their own account, as the transport shows it.
package enum PresentedSession: Sendable {
    /// An app's user, by an ID token of Identity Toolkit.
    case idToken(String)
    /// A session whose holder was authenticated already, by a cookie or an OAuth token.
    case session(id: String, Session.Family)
}

/// The same once the token behind it is known to be valid.
enum JudgedSession: Sendable {
    case claims(IDTokenVerifier.Claims)
    case session(id: String, Session.Family, Timestamp)
}

extension IDTokenVerifier {
    /// - Throws: As ``session(behind:at:)`` for an ID token.
    func judge(_ presented: PresentedSession, at now: Timestamp) async throws -> JudgedSession {
        switch presented {
        case .idToken(let token): .claims(try await validClaims(of: token, at: now))
        case .session(let id, let family): .session(id: id, family, now)
        }
    }
}

extension Transaction {
    /// The presented session, if it is still valid in this transaction.
    ///
    /// - Throws: ``BrokerError`` in the order of contract §5.3, or a ``StoreError``.
    func liveSession(behind judged: JudgedSession) throws -> SessionFacts {
        switch judged {
        case .claims(let claims): try liveSession(behind: claims)
        case .session(let id, let family, let now): try liveSession(id: id, family, at: now)
        }
    }

    /// The session of a browser or of an OAuth client with this id, if it is of this family and still valid.
    ///
    /// - Throws: ``BrokerError/tokenExpired``, ``BrokerError/userDisabled``, or a ``StoreError``.
    func liveSession(id: String, _ family: Session.Family, at now: Timestamp) throws -> SessionFacts {
        guard let facts = try sessionFacts(id: id), facts.session.family == family else {
            throw BrokerError.tokenExpired
        }
        try SessionState(facts.session, of: facts.user, at: now, .rotating).requireLive()
        return facts
    }
}
