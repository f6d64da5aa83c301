import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Show and verify tokens of the broker.", subcommands: [Inspect.self])

    struct Inspect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "inspect", abstract: "Show a token's claims, its issuer family and whether it is valid.",
            discussion: """
                Accepts ID tokens of both families and access tokens, from a file or from standard input, never as an
                argument. Exits 0 when the token is valid now, otherwise 1. The token itself is not printed.

                Examples:
                  broker token inspect --file token.txt
                  pbpaste | broker token inspect --json
                """.paragraphs)

        @Option(name: .long, help: "File with the token; - for standard input.")
        var file: String = "-"

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                guard let token = SecretInput.text(file) else {
                    throw CommandFailure(
                        code: "INVALID_TOKEN", "the input is not a signed token: use --file or pipe it in",
                        exitCode: .validationFailure)
                }
                let answer = try await options.run(InspectTokenOperation(token: token))
                let document = try JSONValueEncoder().encode(answer)
                output(document, text: TerminalText(json: document, indented: true))
                if !answer.counts { throw ExitCode.failure }
            }
        }
    }
}
