import ArgumentParser
import Broker
import ProviderKit

extension ProvidersCommand {
    struct ResumeProbes: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume-probes",
            abstract: "Resume the paused background checks of a provider's grants.",
            discussion: """
                The broker pauses them when a provider refuses more than 5 % of the checks within an hour, and at least
                20: then the entry's client or key has changed, and the users have withdrawn nothing. Find the cause
                with broker providers check first. The refusals that led to the pause have no effect; the grants are
                checked again a day after the last time.

                Example:
                  broker providers resume-probes apple.com
                """.paragraphs)

        @Argument(help: "The provider's id, as broker providers list shows it.")
        var id: String

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try output(try await options.run(ResumeProviderProbes(provider: id))) { answer in
                    "Resumed the probes of \(answer.provider)."
                }
            }
        }
    }
}
