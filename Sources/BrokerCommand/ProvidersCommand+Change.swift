import ArgumentParser
import Broker
import ProviderKit

extension ProvidersCommand {
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Enable an entry of the store.",
            discussion: """
                An entry of plugins.json is enabled in the file.

                Example:
                  broker providers enable oidc.keycloak
                """.paragraphs)

        @Argument(help: "The provider's id.")
        var id: String

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(EnableProvider(id: id))
                try output(answer) { _ in "Enabled \(id)." }
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Disable an entry of the store. Its users and their identities stay.",
            discussion: """
                Sign-ins and links with it are refused. Sessions go on. The command says how many users have no other way
                to sign in. An entry of plugins.json is disabled in the file.

                Example:
                  broker providers disable oidc.keycloak
                """.paragraphs)

        @Argument(help: "The provider's id.")
        var id: String

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(DisableProvider(id: id))
                try output(answer) { "Disabled \(id). \(OnlyWayIn($0.onlyWayIn).sentence)" }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove an entry of the store. Its users and their identities stay.",
            discussion: """
                The stored tokens of the provider stay as well. They cannot be revoked at the provider until an entry
                with the same id, instance and client is there again: let users unlink first, or revoke the client at the
                provider. An entry of plugins.json is removed in the file.

                Examples:
                  broker providers remove oidc.keycloak
                  broker providers remove oidc.keycloak --yes --json
                """.paragraphs)

        @Argument(help: "The provider's id.")
        var id: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try confirmation.requireAnswer()
                let answer = try await options.withExecutor { run in
                    if !confirmation.yes {
                        // The count is worth knowing, and no condition of the removal.
                        let use = try? await run(ShowProvider(id: id)).onlyWayIn
                        let sentence: TerminalText = use.map { "\(OnlyWayIn($0).sentence) " } ?? ""
                        try confirmation.requireIrreversible(
                            "\(sentence)Remove \(id) with its client and its secret?",
                            otherwise: "nothing was removed")
                    }
                    return try await run(RemoveProvider(id: id))
                }
                try output(answer) { "Removed \($0.removed). \(OnlyWayIn($0.onlyWayIn).sentence)" }
            }
        }
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
