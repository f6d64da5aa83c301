import BrokerStore
package import ProviderKit

/// `users.disable`: the broker refuses the user's tokens and sign-ins.
package struct DisableUserOperation: AdminOperation {
    package static let declaration = OperationDeclaration(
        "users.disable", "Disables a user: their tokens and sign-ins are refused.", .writeUsers, .undoable, [.user],
        answer: .user("The user record."),
        command: DeclaredCommand(
            "disable", "Disable a user.",
            """
            Takes effect at once, in running brokers too: the broker refuses the user's tokens and sign-ins. Undo it
            with `broker users enable`.

            Examples:
              broker users disable ann@example.com
              broker users disable kX3… --json
            """))
    /// The user record.
    package typealias Answer = JSONObject

    let user: String

    package func run(for call: AdminCall) async throws -> JSONObject {
        let localID = try await call.admin.user(named: user).user.localID
        return JSONObject(try await call.admin.accounts.disableUser(true, localID: localID, origin: call.origin))
    }

    package func text(of answer: JSONObject) -> TerminalText { "Disabled \(answer.userLabel)." }
}

/// `users.enable`: the user's sessions become valid again.
package struct EnableUserOperation: AdminOperation {
    package static let declaration = OperationDeclaration(
        "users.enable", "Enables a user: existing sessions become valid again.", .writeUsers, .undoable, [.user],
        answer: .user("The user record."),
        command: DeclaredCommand(
            "enable", "Enable a user. Existing sessions become valid again.",
            """
            Examples:
              broker users enable ann@example.com
              broker users enable kX3… --json
            """))
    /// The user record.
    package typealias Answer = JSONObject

    let user: String

    package func run(for call: AdminCall) async throws -> JSONObject {
        let localID = try await call.admin.user(named: user).user.localID
        return JSONObject(try await call.admin.accounts.disableUser(false, localID: localID, origin: call.origin))
    }

    package func text(of answer: JSONObject) -> TerminalText { "Enabled \(answer.userLabel)." }
}
