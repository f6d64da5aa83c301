package import BrokerStore

/// Who acts on their own account, as far as the transport shows it.
package enum PresentedSession: Sendable {
    /// An app's user, by an ID token of Identity Toolkit.
    case idToken(String)
    /// A session whose holder was recognised already, by a cookie or an OAuth token.
    case session(id: String, Session.Family)
}

/// The same after everything that needs no store was checked.
enum JudgedSession: Sendable {
    case claims(IDTokenVerifier.Claims)
    case session(id: String, Session.Family, Timestamp)
}

extension IDTokenVerifier {
    /// - Throws: ``BrokerError/invalidIDToken``.
    func judge(_ presented: PresentedSession, at now: Timestamp) throws(BrokerError) -> JudgedSession {
        switch presented {
        case .idToken(let token): .claims(try verify(token, at: now))
        case .session(let id, let family): .session(id: id, family, now)
        }
    }
}

extension IDTokenVerifier {
    /// The same, after a second look at the keys for a token of one that another process made just now.
    func judged(_ presented: PresentedSession, at now: Timestamp) async throws -> JudgedSession {
        guard case .idToken(let token) = presented else { return try judge(presented, at: now) }
        return .claims(try await claims(of: token, at: now))
    }
}

extension Transaction {
    /// The session of the caller, if it is valid in this transaction.
    ///
    /// - Throws: ``BrokerError`` in the order of contract §5.3, or a ``StoreError``.
    func liveSession(behind judged: JudgedSession) throws -> SessionFacts {
        switch judged {
        case .claims(let claims): try liveSession(behind: claims)
        case .session(let id, let family, let now): try liveSession(id: id, family, at: now)
        }
    }

    /// The session of a browser or of an OAuth client with this id, if it is of this family and valid.
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
