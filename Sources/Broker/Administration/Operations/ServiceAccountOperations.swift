package import BrokerStore
import OAuth
package import ProviderKit

/// A service account; it contains no private key.
package struct ServiceAccountAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "id": "The account's public id.",
        "name": "Its name.",
        "email": "Its address, the `iss` of its assertions.",
        "scopes": "What it may do.",
        "state": "`valid` or `revoked`.",
        "createdAt": "When it was created.",
        "keys": "The valid keys, without their private halves.",
        "revokedAt": "When it was revoked.",
        "lastUsedAt": "When it was used last.",
    ]

    /// A valid key; it contains no private half.
    package struct Key: DescribedObject {
        package static let texts: [String: MemberText] = [
            "id": "The `kid` of its assertions.",
            "createdAt": "When it was made.",
            "expiresAt": "Until when it is valid; absent for the present one.",
        ]

        package let id: String
        package let createdAt: Timestamp
        package let expiresAt: Timestamp?
    }

    package let id: String
    package let name: String
    package let email: String
    package let scopes: [String]
    package let state: String
    package let createdAt: Timestamp
    package let keys: [Key]
    package let revokedAt: Timestamp?
    package let lastUsedAt: Timestamp?

    fileprivate init(_ record: ServiceAccounts.Record, at now: Timestamp) {
        let account = record.account
        (id, name, email) = (account.id, account.name, account.email)
        scopes = ScopeList(account.scopes).scopes
        (state, createdAt) = (account.revokedAt == nil ? "valid" : "revoked", account.createdAt)
        keys = record.keys.filter { $0.isValid(at: now) }.map {
            Key(id: $0.id, createdAt: $0.createdAt, expiresAt: $0.expiresAt)
        }
        (revokedAt, lastUsedAt) = (account.revokedAt, account.lastUsedAt)
    }
}

/// A service account with a new key, which is answered once.
package struct ServiceAccountKeyAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "serviceAccount": "The account.",
        "keyFile": .secret("The JSON that `credentials.Certificate` of firebase-admin reads."),
        "keyFileName": "The file name that the key is called by.",
    ]

    package let serviceAccount: ServiceAccountAnswer
    package let keyFile: JSONValue
    package let keyFileName: String

    fileprivate init(_ record: ServiceAccounts.Record, _ file: ServiceAccountKeyFile, at now: Timestamp) {
        serviceAccount = ServiceAccountAnswer(record, at: now)
        (keyFile, keyFileName) = (file.document, file.name)
    }
}

/// `admin.service-account.create`: a service account with its first key.
package struct CreateServiceAccount: AdminOperation {
    package static let declaration = OperationDeclaration(
        "admin.service-account.create", "Creates a service account. Its key is answered once.", .admin, .undoable,
        [
            .positional(
                "name", "Its name: lower-case letters, digits and hyphens. A name is given once.", example: "calendar"),
            .scopes,
        ], heading: "Create a service account")
    package typealias Answer = ServiceAccountKeyAnswer

    let name: String
    let scopes: [AdminScope]

    package init(name: String, scopes: [AdminScope]) {
        self.name = name
        self.scopes = scopes
    }

    package func run(for call: AdminCall) async throws -> ServiceAccountKeyAnswer {
        let created = try await call.admin.sessions.serviceAccounts.create(
            named: name, scopes: Set(scopes), origin: call.origin)
        return ServiceAccountKeyAnswer(created.record, created.keyFile, at: call.admin.now)
    }
}

/// `admin.service-account.list`: all service accounts with their state, the oldest first.
package struct ListServiceAccounts: AdminOperation {
    package static let declaration = OperationDeclaration(
        "admin.service-account.list", "Lists service accounts with their state, the oldest first.", .admin, .reads,
        command: DeclaredCommand(
            "list", "List service accounts with their state, the oldest first.",
            """
            The broker stores only the public half of each key.

            Example:
              broker admin service-account list --json
            """))

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["serviceAccounts": "The accounts, the oldest first."]

        package let serviceAccounts: [ServiceAccountAnswer]
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let now = call.admin.now
        let records = try await call.admin.sessions.serviceAccounts.all()
        return Answer(serviceAccounts: records.map { ServiceAccountAnswer($0, at: now) })
    }

    package func text(of answer: Answer) -> TerminalText {
        let table = Table<ServiceAccountAnswer>(
            .init("ID") { $0.id }, .init("NAME") { $0.name },
            .init("SCOPES", mayBeCut: true) { $0.scopes.joined(separator: " ") },
            .init("KEYS") { String($0.keys.count) }, .init("LAST USED (UTC)") { $0.lastUsedAt?.minuteText ?? "never" },
            .init("STATE") { $0.state })
        return answer.serviceAccounts.isEmpty ? "No service accounts." : table.text(answer.serviceAccounts)
    }
}

/// `admin.service-account.rotate-key`: gives a service account another key.
package struct RotateServiceAccountKey: AdminOperation {
    package static let declaration = OperationDeclaration(
        "admin.service-account.rotate-key", "Gives a service account another key, which is answered once.", .admin,
        .irreversibleWith("overlapSeconds"),
        [
            .serviceAccount,
            .option(
                "overlapSeconds", "How long the earlier keys stay valid, in seconds; a day when absent.", as: "overlap"),
        ], heading: "Give a service account another key")
    package typealias Answer = ServiceAccountKeyAnswer

    let id: String
    let overlapSeconds: Int64?

    package init(id: String, overlap: Duration) {
        self.id = id
        overlapSeconds = overlap.components.seconds
    }

    package func run(for call: AdminCall) async throws -> ServiceAccountKeyAnswer {
        let overlap = overlapSeconds.map { Duration.seconds($0) } ?? ServiceAccounts.standardOverlap
        let rotated = try await call.admin.sessions.serviceAccounts.rotateKey(
            id: id, overlap: overlap, origin: call.origin)
        guard let rotated else { throw AdminFailure.serviceAccountNotFound }
        return ServiceAccountKeyAnswer(rotated.record, rotated.keyFile, at: call.admin.now)
    }
}

/// `admin.service-account.revoke`: revokes a service account at once.
package struct RevokeServiceAccount: AdminOperation {
    package static let declaration = OperationDeclaration(
        "admin.service-account.revoke", "Revokes a service account at once, with its keys and access tokens.", .admin,
        .irreversible, [.serviceAccount],
        command: DeclaredCommand(
            "revoke", "Revoke a service account.",
            """
            Takes effect at once, in running brokers too, for its keys and for access tokens that were obtained with
            them. Cannot be undone.

            Examples:
              broker admin service-account revoke 4fJqW8xT0aPz
              broker admin service-account revoke 4fJqW8xT0aPz --yes --json
            """))

    let id: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["revoked": "The account's public id.", "name": "Its name."]

        package let revoked: String
        package let name: String
    }

    package init(id: String) {
        self.id = id
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard let revoked = try await call.admin.sessions.serviceAccounts.revoke(id: id, origin: call.origin) else {
            throw AdminFailure.serviceAccountNotFound
        }
        return Answer(revoked: revoked.id, name: revoked.name)
    }

    package func text(of answer: Answer) -> TerminalText { "Revoked \(answer.revoked) (\(answer.name))." }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        .irreversible("Revoke the service account \(id)?", otherwise: "nothing was revoked")
    }
}

extension AdminFailure {
    fileprivate static let serviceAccountNotFound = AdminFailure(
        code: "CREDENTIAL_NOT_FOUND",
        "no valid service account has this id: broker admin service-account list shows all accounts")
}

extension DeclaredArgument {
    fileprivate static let serviceAccount = positional(
        "id", "The account's id, shown by `broker admin service-account list`.", example: "4fJqW8xT0aPz")
}
