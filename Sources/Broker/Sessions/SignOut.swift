package import BrokerStore

package enum SignOutScope: Sendable {
    /// The session itself, and for one of the hosted pages those that came from it.
    case session
    /// Other sessions of the same user.
    case others(ids: [String])
    case all
}

extension SessionContext {
    /// Ends one session or all sessions of a user, effective at once.
    ///
    /// - Throws: ``BrokerError`` in the order of contract §5.3, ``BrokerError/sessionNotFound``.
    package func signOut(_ presented: PresentedSession, _ scope: SignOutScope, origin: Origin) async throws {
        try await FlowMetrics.counting(.signOut) { try await end(presented, scope, origin) }
    }

    private func end(_ presented: PresentedSession, _ scope: SignOutScope, _ origin: Origin) async throws {
        let now = now
        let judged = try await verifier.judge(presented, at: now)
        try await store.write(at: now, by: origin) { transaction in
            let facts = try transaction.liveSession(behind: judged)
            switch scope {
            case .session:
                _ = try transaction.revokeSession(id: facts.session.id, at: now, reason: "sign-out")
                try transaction.revokeSessions(from: facts.session.id, at: now, reason: "sign-out")
            case .others(let ids):
                for id in ids {
                    guard try transaction.session(id: id)?.userKey == facts.user.key else {
                        throw BrokerError.sessionNotFound
                    }
                    _ = try transaction.revokeSession(id: id, at: now, reason: "sign-out")
                    try transaction.revokeSessions(from: id, at: now, reason: "sign-out")
                }
            case .all:
                _ = try transaction.bumpEpoch(userKey: facts.user.key, validSince: now.seconds)
                _ = try transaction.revokeSessions(of: facts.user.key, at: now, reason: "sign-out of all")
            }
            let localID = facts.user.localID
            try transaction.audit(scope.event, of: localID, by: origin.acting(as: .user, localID))
        }
    }
}

extension SignOutScope {
    fileprivate var event: String {
        switch self {
        case .session, .others: "session.signed-out"
        case .all: "session.signed-out-all"
        }
    }
}
