import ArgumentParser
import Broker
import ProviderKit

extension UsersCommand {
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Disable a user.",
            discussion: """
                Takes effect at once, in running brokers too: the broker refuses the user's tokens and sign-ins. Undo it
                with `broker users enable`.

                Examples:
                  broker users disable ann@example.com
                  broker users disable kX3… --json
                """.paragraphs)

        @Argument(help: "The user's localId or e-mail address.")
        var user: String

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let user = try await options.run(DisableUserOperation(user: user))
                try output(user) { "Disabled \($0.userLabel)." }
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Enable a user. Existing sessions become valid again.",
            discussion: "Examples:\n  broker users enable ann@example.com\n  broker users enable kX3… --json")

        @Argument(help: "The user's localId or e-mail address.")
        var user: String

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let user = try await options.run(EnableUserOperation(user: user))
                try output(user) { "Enabled \($0.userLabel)." }
            }
        }
    }
}
