import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

extension UsersCommand {
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Disable a user.",
            discussion: """
                Takes effect at once, in running brokers too: the broker refuses the user's tokens and sign-ins. Undo it
                with `broker users enable`.

                Examples:
                  broker users disable ann@example.com
                  broker users disable kX3… --json
                """.paragraphs)

        @Argument(help: "The user's localId or e-mail address.")
        var user: String

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await UsersCommand.setDisabled(true, user, options, output)
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enable a user. Existing sessions become valid again.",
            discussion: "Examples:\n  broker users enable ann@example.com\n  broker users enable kX3… --json")

        @Argument(help: "The user's localId or e-mail address.")
        var user: String

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await UsersCommand.setDisabled(false, user, options, output)
        }
    }

    private static func setDisabled(
        _ isDisabled: Bool, _ name: String, _ options: ConfigurationOptions, _ output: OutputOptions
    ) async throws {
        try await output.reporting {
            let record = try await options.withCore { core in
                let localID = try await core.user(named: name).user.localID
                return try await core.disableUser(isDisabled, localID: localID, origin: .commandLine())
            }
            let verb = isDisabled ? "Disabled" : "Enabled"
            output(
                .object(JSONObject(record)),
                text: "\(verb) \(record.user.localID) (\(record.user.email ?? "no e-mail")).")
        }
    }
}
