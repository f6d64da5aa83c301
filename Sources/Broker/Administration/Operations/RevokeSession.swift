import BrokerStore
import ProviderKit

/// `sessions.revoke`: one session, at once.
package struct RevokeSession: AdminOperation {
    package static let name = "sessions.revoke"
    package static let summary = "Revokes one session."
    package static let scope: AdminScope? = .writeUsers

    /// The session's id.
    let session: String

    package struct Answer: Codable, Sendable {
        /// The number of sessions that were revoked.
        package let revoked: Int
    }

    package init(session: String) {
        self.session = session
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard try await call.admin.sessions.revokeSession(session, origin: call.origin) else {
            throw AdminFailure(code: .sessionNotFound, "there is no such session, or it is already revoked")
        }
        return Answer(revoked: 1)
    }
}

/// `sessions.revoke-all`: all sessions and ID tokens of a user, at once.
package struct RevokeUserSessions: AdminOperation {
    package static let name = "sessions.revoke-all"
    package static let summary = "Revokes all sessions and ID tokens of a user."
    package static let scope: AdminScope? = .writeUsers
    package typealias Answer = RevokeSession.Answer

    /// A localId or an e-mail address.
    let user: String

    package init(user: String) {
        self.user = user
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let localID = try await call.admin.user(named: user).user.localID
        return Answer(revoked: try await call.admin.sessions.revokeSessions(of: localID, origin: call.origin))
    }
}
