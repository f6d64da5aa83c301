import BrokerStore
import ProviderKit

/// `sessions.revoke`: one session, at once.
package struct RevokeSession: AdminOperation {
    package static let declaration = OperationDeclaration(
        "sessions.revoke", "Revokes one session.", .writeUsers, .undoable,
        [
            .positional("session", "The session's id, shown by `broker sessions list`.", example: "4fJqW8xT0aPz")
        ], heading: "Revoke a session")

    let session: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["revoked": "The number of sessions that were revoked."]

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
    package static let declaration = OperationDeclaration(
        "sessions.revoke-all", "Revokes all sessions and ID tokens of a user.", .writeUsers, .irreversible,
        [
            .option("user", "localId or e-mail address of the user.", example: "ann@example.com").of(.user)
        ], heading: "Revoke all sessions of a user")
    package typealias Answer = RevokeSession.Answer

    let user: String

    package init(user: String) {
        self.user = user
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let localID = try await call.admin.user(named: user).user.localID
        return Answer(revoked: try await call.admin.sessions.revokeSessions(of: localID, origin: call.origin))
    }
}
