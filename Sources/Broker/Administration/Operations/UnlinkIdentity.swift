import BrokerStore
package import ProviderKit

/// `users.unlink`: removes a provider's identity from a user, with its provider tokens.
package struct UnlinkIdentity: AdminOperation {
    package static let declaration = OperationDeclaration(
        "users.unlink", "Unlinks a provider's identity from a user.", .writeUsers, .irreversible, asksProviders: true,
        [
            .option(
                "provider", "The provider's id, or its kind if only one entry of plugins.json has that kind.",
                example: "github.com"),
            .option("user", "localId or e-mail address of the user.", example: "ann@example.com").of(.user),
            .option("force", "Unlink even the last sign-in method."),
        ],
        answer: MemberText(
            "The user record, with the withdrawals of the grant.",
            schema: [
                "type": "object", "required": ["localId", "withdrawals"],
                "properties": [
                    "localId": ["type": "string", "description": "The user's id."],
                    "withdrawals": [
                        "type": "array", "items": ["type": "object"],
                        "description": "What becomes of the grant, as `users.delete` answers it.",
                    ],
                ],
            ]),
        command: DeclaredCommand(
            "unlink", "Unlink a provider's identity from a user.",
            """
            The identity's provider tokens are deleted as well, and the running broker revokes the grant at the provider:
            `broker withdrawals show` tells the outcome of a receipt. Under the strict policy the last sign-in method of a
            user is unlinked only with --force. Cannot be undone: only the user can link the identity again.

            Examples:
              broker unlink --provider github --user ann@example.com
              broker unlink --provider github.com --user kX3… --force --yes --json
            """))
    /// The user record, with `withdrawals`.
    package typealias Answer = JSONObject

    let provider: String
    let user: String
    let force: Bool?

    package func run(for call: AdminCall) async throws -> JSONObject {
        let known = try await call.admin.user(named: user)
        // Users may have identities of a provider that is no longer configured.
        let linked = known.identities.map(\.provider).first { $0.hasSameBytes(as: provider) }
        let id = try linked ?? call.admin.providers.current.named(provider).id
        let outcome = try await unlink(id, from: known.user.localID, call)
        guard outcome.isUnlinked else {
            throw AdminFailure(code: "NO_SUCH_PROVIDER", "the user has no identity of \(id)")
        }
        var document = JSONObject(outcome.record)
        document["withdrawals"] = .array(outcome.withdrawals.map { .object(JSONObject($0)) })
        return document
    }

    private func unlink(_ id: String, from localID: String, _ call: AdminCall) async throws -> UnlinkOutcome {
        do {
            return try await call.admin.accounts.unlink(
                provider: id, from: localID, leavesNoWayIn: force ?? false, origin: call.origin)
        } catch BrokerError.lastSignInMethod {
            throw AdminFailure(
                code: .lastSignInMethod,
                "this is the user's last sign-in method: link another provider first, or add --force")
        }
    }

    package func text(of answer: JSONObject) -> TerminalText {
        let receipts = answer["withdrawals"]?.array ?? []
        let id = receipts.first?["providerId"]?.string ?? provider
        return "Unlinked \(id) from \(answer["localId"]?.string ?? user).\(receipts.withdrawalText)"
    }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        .irreversible(
            "Unlink \(provider) from user \(user) and delete its provider tokens?",
            otherwise: "nothing was unlinked")
    }
}
