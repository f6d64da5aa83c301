package import BrokerStore
import OAuth
import ProviderKit

/// An admin token without its secret.
package struct AdminTokenAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "id": "The token's public id.",
        "name": "What the token is for.",
        "scopes": "What it may do.",
        "state": "`valid`, `expired` or `revoked`.",
        "createdAt": "When it was created.",
        "expiresAt": "Until when it is valid; absent until it is revoked.",
        "revokedAt": "When it was revoked.",
        "lastUsedAt": "When it was used last.",
    ]

    package let id: String
    package let name: String
    package let scopes: [String]
    package let state: String
    package let createdAt: Timestamp
    package let expiresAt: Timestamp?
    package let revokedAt: Timestamp?
    package let lastUsedAt: Timestamp?

    fileprivate init(_ credential: AdminCredential, at now: Timestamp) {
        (id, name) = (credential.id, credential.name)
        scopes = ScopeList(credential.scopes).scopes
        (state, createdAt) = (credential.state(at: now).rawValue, credential.createdAt)
        (expiresAt, revokedAt, lastUsedAt) = (credential.expiresAt, credential.revokedAt, credential.lastUsedAt)
    }
}

/// `admin.token.create`: an admin token, which is answered once.
package struct CreateAdminToken: AdminOperation {
    package static let declaration = OperationDeclaration(
        "admin.token.create", "Creates an admin token. It is answered once.", .admin, .undoable,
        [
            .option("name", "What the token is for; shown in lists.", example: "Calendar"),
            .scopes,
            .option("lifetimeSeconds", "Its lifetime in seconds; until it is revoked when absent.", as: "expires"),
        ], heading: "Create an admin token")

    let name: String
    let scopes: [AdminScope]
    let lifetimeSeconds: Int64?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "credential": "The token without its secret.", "token": .secret("The token. The store has only its hash."),
        ]

        package let credential: AdminTokenAnswer
        package let token: String
    }

    package init(name: String, scopes: [AdminScope], lifetime: Duration?) {
        self.name = name
        self.scopes = scopes
        lifetimeSeconds = lifetime?.components.seconds
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let lifetime = lifetimeSeconds.map { Duration.seconds($0) }
        let (credential, token) = try await call.admin.sessions.adminCredentials.create(
            named: name, scopes: Set(scopes), lifetime: lifetime, origin: call.origin)
        return Answer(
            credential: AdminTokenAnswer(credential, at: call.admin.now), token: token.text)
    }
}

extension AdminScope: Codable {}

/// `admin.token.list`: all admin tokens with their state, the oldest first.
package struct ListAdminTokens: AdminOperation {
    package static let declaration = OperationDeclaration(
        "admin.token.list", "Lists admin tokens with their state, the oldest first.", .admin, .reads,
        command: DeclaredCommand(
            "list", "List admin tokens with their state, the oldest first.",
            """
            The broker stores only a hash of each token.

            Example:
              broker admin token list --json
            """))

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["credentials": "The tokens, the oldest first."]

        package let credentials: [AdminTokenAnswer]
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let now = call.admin.now
        let credentials = try await call.admin.sessions.adminCredentials.all()
        return Answer(credentials: credentials.map { AdminTokenAnswer($0, at: now) })
    }

    package func text(of answer: Answer) -> TerminalText {
        let table = Table<AdminTokenAnswer>(
            .init("ID") { $0.id }, .init("NAME", mayBeCut: true) { $0.name },
            .init("SCOPES", mayBeCut: true) { $0.scopes.joined(separator: " ") },
            .init("EXPIRES (UTC)") { $0.expiresAt?.minuteText ?? "never" },
            .init("LAST USED (UTC)") { $0.lastUsedAt?.minuteText ?? "never" }, .init("STATE") { $0.state })
        return answer.credentials.isEmpty ? "No admin tokens." : table.text(answer.credentials)
    }
}

/// `admin.token.revoke`: revokes an admin token at once.
package struct RevokeAdminToken: AdminOperation {
    package static let declaration = OperationDeclaration(
        "admin.token.revoke", "Revokes an admin token at once.", .admin, .irreversible,
        [
            .positional("id", "The token's id, shown by `broker admin token list`.", example: "4fJqW8xT0aPz")
        ],
        command: DeclaredCommand(
            "revoke", "Revoke an admin token.",
            """
            Takes effect at once, in running brokers too. Cannot be undone.

            Examples:
              broker admin token revoke 4fJqW8xT0aPz
              broker admin token revoke 4fJqW8xT0aPz --yes --json
            """))

    let id: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "revoked": "The token's public id.", "name": "What the token was for.",
        ]

        package let revoked: String
        package let name: String
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard let revoked = try await call.admin.sessions.adminCredentials.revoke(id: id, origin: call.origin) else {
            throw AdminFailure(
                code: "CREDENTIAL_NOT_FOUND",
                "no valid admin token has this id: broker admin token list shows all tokens")
        }
        return Answer(revoked: revoked.id, name: revoked.name)
    }

    package func text(of answer: Answer) -> TerminalText { "Revoked \(answer.revoked) (\(answer.name))." }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        .irreversible("Revoke the admin token \(id)?", otherwise: "nothing was revoked")
    }
}

extension DeclaredArgument {
    static let scopes = option(
        "scopes", "A scope: \(AdminScope.allCases.map(\.rawValue).joined(separator: ", ")); repeatable.", as: "scope",
        example: ["users:read"])
}
