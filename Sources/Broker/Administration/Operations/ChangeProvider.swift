import BrokerStore
import ProviderKit

/// `providers.show`: an entry, and how many users sign in with it.
package struct ShowProvider: AdminOperation {
    package static let declaration = OperationDeclaration(
        "providers.show", "Shows a provider entry, and how many users sign in with it.", .readConfiguration, .reads,
        [.provider], heading: "Show a provider")

    let id: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "provider": "The entry.",
            "users": "The users with an identity of it.",
            "onlyWayIn": "Those of them who have no other way to sign in.",
        ]

        package let provider: ListProviders.ProviderAnswer
        package let users: Int
        package let onlyWayIn: Int
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let providers = call.admin.providers
        let listed = try await providers.listedProvider(id)
        let use = try await providers.use(ofProvider: id)
        return Answer(provider: .init(listed, nil, call.admin), users: use.users, onlyWayIn: use.onlyWayIn)
    }
}

/// `providers.enable`: enables a provider entry of the store.
package struct EnableProvider: AdminOperation {
    package static let declaration = OperationDeclaration(
        "providers.enable", "Enables a provider entry of the store.", .writeConfiguration, .undoable, [.provider],
        command: DeclaredCommand(
            "enable", "Enable an entry of the store.",
            """
            An entry of plugins.json is enabled in the file.

            Example:
              broker providers enable oidc.keycloak
            """))

    let id: String

    package typealias Answer = UpdateProvider.Answer

    package init(id: String) {
        self.id = id
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let entry = try await call.admin.providers.setProviderEnabled(
            true, id, by: call.channel, origin: call.origin)
        return Answer(provider: call.answer(entry))
    }

    package func text(of answer: Answer) -> TerminalText { "Enabled \(id)." }
}

/// `providers.disable`: disables a provider entry of the store. Its users and their identities stay.
package struct DisableProvider: AdminOperation {
    package static let declaration = OperationDeclaration(
        "providers.disable",
        "Disables a provider entry of the store, and says how many users have no other way to sign in.",
        .writeConfiguration, .undoable, [.provider],
        command: DeclaredCommand(
            "disable", "Disable an entry of the store. Its users and their identities stay.",
            """
            Sign-ins and links with it are refused. Sessions go on. The command says how many users have no other way
            to sign in. An entry of plugins.json is disabled in the file.

            Example:
              broker providers disable oidc.keycloak
            """))

    let id: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "provider": "The entry.", "onlyWayIn": "The users who have no other way to sign in.",
        ]

        package let provider: ListProviders.ProviderAnswer
        package let onlyWayIn: Int
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let providers = call.admin.providers
        let entry = try await providers.setProviderEnabled(false, id, by: call.channel, origin: call.origin)
        return Answer(provider: call.answer(entry), onlyWayIn: try await providers.use(ofProvider: id).onlyWayIn)
    }

    package func text(of answer: Answer) -> TerminalText { "Disabled \(id). \(OnlyWayIn(answer.onlyWayIn).sentence)" }
}

/// `providers.remove`: removes a provider entry of the store. Its users and their identities stay.
package struct RemoveProvider: AdminOperation {
    package static let declaration = OperationDeclaration(
        "providers.remove",
        "Removes a provider entry of the store, and says how many users have no other way to sign in.", .trustProviders,
        .irreversible, [.provider],
        command: DeclaredCommand(
            "remove", "Remove an entry of the store. Its users and their identities stay.",
            """
            The stored tokens of the provider stay as well. They cannot be revoked at the provider until an entry
            with the same id, instance and client is there again: let users unlink first, or revoke the client at the
            provider. An entry of plugins.json is removed in the file.

            Examples:
              broker providers remove oidc.keycloak
              broker providers remove oidc.keycloak --yes --json
            """))

    let id: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "removed": "The provider's id.", "onlyWayIn": "The users who have no other way to sign in.",
        ]

        package let removed: String
        package let onlyWayIn: Int
    }

    package init(id: String) {
        self.id = id
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let providers = call.admin.providers
        try await providers.removeProvider(id, origin: call.origin)
        return Answer(removed: id, onlyWayIn: try await providers.use(ofProvider: id).onlyWayIn)
    }

    package func text(of answer: Answer) -> TerminalText {
        "Removed \(answer.removed). \(OnlyWayIn(answer.onlyWayIn).sentence)"
    }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        // The count is worth knowing, and no condition of the removal.
        let use = try? await runner.run(ShowProvider(id: id)).onlyWayIn
        let sentence: TerminalText = use.map { "\(OnlyWayIn($0).sentence) " } ?? ""
        return .irreversible(
            "\(sentence)Remove \(id) with its client and its secret?", otherwise: "nothing was removed")
    }
}

/// The number of users who have no other way to sign in than one provider.
private struct OnlyWayIn {
    let users: Int

    init(_ users: Int) {
        self.users = users
    }

    var sentence: TerminalText {
        switch users {
        case 0: "No user loses the only way to sign in."
        case 1: "1 user has no other way to sign in."
        default: "\(users) users have no other way to sign in."
        }
    }
}
