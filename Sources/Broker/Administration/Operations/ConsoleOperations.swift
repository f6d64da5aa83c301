package import BrokerStore
import ProviderKit

/// An administrator of the console.
package struct ConsoleAdministratorAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "id": "The administrator's public id; absent before the first sign-in.",
        "name": "The name at the provider.",
        "role": "`viewer`, `operator` or `owner`; absent for one who has none any more.",
        "source": "`configuration` where `broker.json` gives the role, `invitation` where the store does.",
        "provider": "The id of the provider's entry.",
        "issuer": "The issuer of the subject.",
        "subject": "The permanent id at the provider.",
        "email": "The address of the configuration that the subject is bound to, or will be.",
        "createdAt": "When the administrator signed in first.",
        "lastSignInAt": "When the administrator signed in last.",
    ]

    package let id: String?
    package let name: String?
    package let role: ConsoleRole?
    package let source: String
    package let provider: String
    package let issuer: String?
    package let subject: String?
    package let email: String?
    package let createdAt: Timestamp?
    package let lastSignInAt: Timestamp?

    fileprivate init(_ administrator: ConsoleAdministrator, _ administrators: ConsoleAdministrators) {
        (id, name) = (administrator.id, administrator.name)
        role = administrators.role(of: administrator)
        source = administrators.isConfigured(administrator) ? "configuration" : "invitation"
        (provider, issuer, subject) = (administrator.provider, administrator.issuer, administrator.subject)
        (email, createdAt, lastSignInAt) = (administrator.email, administrator.createdAt, administrator.lastSignInAt)
    }

    fileprivate init(awaited entry: ConsoleSettings.NamedAdministrator) {
        (id, name, createdAt, lastSignInAt) = (nil, nil, nil, nil)
        (role, source) = (entry.role, "configuration")
        (provider, issuer, subject, email) = (entry.provider, entry.issuer, entry.subject, entry.email)
    }
}

/// An invitation to the console that can still be accepted.
package struct ConsoleInvitationAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "role": "The role that it gives.", "createdAt": "When it was made.",
        "expiresAt": "When it ends, unless it is accepted before.",
    ]

    package let role: ConsoleRole
    package let createdAt: Timestamp
    package let expiresAt: Timestamp
}

/// `console.administrators.list`: who may use the console.
package struct ListConsoleAdministrators: AdminOperation {
    package static let declaration = OperationDeclaration(
        "console.administrators.list",
        """
        Lists the administrators of the console: those who have signed in, then those that the configuration names; and \
        the open invitations.
        """, .admin, .reads,
        command: DeclaredCommand(
            "list", "List the administrators of the console and its open invitations.",
            """
            Examples:
              broker console list
              broker console list --json
            """))

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "administrators": "The administrators, those who signed in first before the others.",
            "invitations": "The invitations that can still be accepted, the earliest first.",
        ]

        package let administrators: [ConsoleAdministratorAnswer]
        package let invitations: [ConsoleInvitationAnswer]
    }

    package init() {}

    package func run(for call: AdminCall) async throws -> Answer {
        let administrators = call.admin.sessions.consoleAdministrators
        let known = try await administrators.all()
        let invitations = try await call.admin.openID.redirects.openConsoleInvitations()
        return Answer(
            administrators: known.map { ConsoleAdministratorAnswer($0, administrators) }
                + administrators.awaited(beside: known).map(ConsoleAdministratorAnswer.init(awaited:)),
            invitations: invitations.map {
                ConsoleInvitationAnswer(role: $0.payload.role, createdAt: $0.startedAt, expiresAt: $0.expiresAt)
            })
    }

    package func text(of answer: Answer) -> TerminalText {
        let table = Table<ConsoleAdministratorAnswer>(
            .init("ID") { $0.id ?? "" }, .init("ROLE") { $0.role?.rawValue ?? "none" },
            .init("PROVIDER") { $0.provider },
            .init("NAME", mayBeCut: true) { $0.name ?? $0.email ?? $0.subject ?? "" },
            .init("FROM") { $0.source }, .init("LAST SIGN-IN (UTC)") { $0.lastSignInAt?.minuteText ?? "never" })
        let invitations = Table<ConsoleInvitationAnswer>(
            .init("INVITATION") { $0.role.rawValue }, .init("MADE (UTC)") { $0.createdAt.minuteText },
            .init("ENDS (UTC)") { $0.expiresAt.minuteText })
        let list =
            answer.administrators.isEmpty
            ? "The console has no administrators." : table.text(answer.administrators)
        return answer.invitations.isEmpty ? list : "\(list)\n\n\(invitations.text(answer.invitations))"
    }
}

/// `console.administrators.set-role`: gives an invited administrator another role.
package struct SetConsoleRole: AdminOperation {
    package static let declaration = OperationDeclaration(
        "console.administrators.set-role", "Gives an invited administrator of the console another role.", .admin,
        .undoable,
        [
            .consoleAdministrator,
            .option("role", "The role: `viewer`, `operator` or `owner`.", example: "operator"),
        ],
        command: DeclaredCommand(
            "set-role", "Give an invited administrator another role.",
            """
            Counts at the administrator's next request. The role of an administrator in broker.json is changed
            there.

            Examples:
              broker console set-role 4fJqW8xT0aPz --role operator
              broker console set-role 4fJqW8xT0aPz --role viewer --json
            """))
    package typealias Answer = ConsoleAdministratorAnswer

    let id: String
    let role: ConsoleRole

    package func run(for call: AdminCall) async throws -> Answer {
        let administrators = call.admin.sessions.consoleAdministrators
        guard let changed = try await administrators.setRole(role, id: id, origin: call.origin) else {
            throw AdminFailure.noConsoleAdministrator
        }
        return Answer(changed, administrators)
    }

    package func text(of answer: Answer) -> TerminalText {
        "\(answer.name ?? "") is \(answer.role?.rawValue ?? "none") now."
    }
}

/// `console.administrators.remove`: ends an administrator's sessions and role.
package struct RemoveConsoleAdministrator: AdminOperation {
    package static let declaration = OperationDeclaration(
        "console.administrators.remove",
        "Removes an administrator of the console, whose sessions end. One in broker.json may sign in again.",
        .admin, .irreversible, [.consoleAdministrator],
        command: DeclaredCommand(
            "remove", "Remove an administrator of the console.",
            """
            Ends the administrator's sessions at once. An address of broker.json that was bound to this administrator is
            free for the next one who has it.

            Examples:
              broker console remove 4fJqW8xT0aPz
              broker console remove 4fJqW8xT0aPz --yes --json
            """))
    package typealias Answer = ConsoleAdministratorAnswer

    let id: String

    package func run(for call: AdminCall) async throws -> Answer {
        let administrators = call.admin.sessions.consoleAdministrators
        guard let removed = try await administrators.remove(id: id, origin: call.origin) else {
            throw AdminFailure.noConsoleAdministrator
        }
        return Answer(removed, administrators)
    }

    package func text(of answer: Answer) -> TerminalText { "Removed \(answer.name ?? "") (\(answer.id ?? ""))." }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        .irreversible("Remove the administrator \(id) of the console?", otherwise: "nothing was removed")
    }
}

extension AdminFailure {
    fileprivate static let noConsoleAdministrator = AdminFailure(
        code: "ADMINISTRATOR_NOT_FOUND",
        "no administrator of the console has this id: broker console list shows all of them")
}

extension DeclaredArgument {
    fileprivate static let consoleAdministrator = positional(
        "id", "The administrator's id, shown by `broker console list`.", example: "4fJqW8xT0aPz")
}
