import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Show how the broker decided which user a credential belongs to.",
        discussion: """
            The broker records each sign-in, link and refusal: the evidence, the rule that applied, and the result. Find
            the record of a refusal without a user by the request's id, the X-Request-Id of the response.

            Examples:
              broker explain ann@example.com
              broker explain kX3… --limit 3 --json
            """.paragraphs)

    @Argument(help: "A user's localId or e-mail address, or a request's id.")
    var name: String

    @Option(name: .long, help: "The maximum number of records, 1 to 1000; the newest first.")
    var limit = 20

    @OptionGroup var options: AdministrationOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit takes 1 to 1000.") }
    }

    func run() async throws {
        try await output.reporting {
            let answer = try await options.run(ExplainDecisions(of: name, limit: limit))
            try output(answer) { answer in
                let merged: TerminalText = answer.mergedInto.map { "User \(name) was merged into \($0).\n\n" } ?? ""
                let records =
                    answer.decisions.isEmpty
                    ? "This user has no decisions." : answer.decisions.map(\.text).joined(separator: "\n\n")
                return "\(merged)\(records)"
            }
        }
    }
}

extension ExplainDecisions.DecisionAnswer {
    fileprivate var text: TerminalText {
        let user: TerminalText = localId.map { "  user \($0)" } ?? ""
        return """
            \(at.text)  \(result)\(user)
              rule      \(rule)
              provider  \(provider) (\(issuer)), subject \(subjectHash)
              evidence  \(evidence.serialized())
              request   \(requestId)
            """
    }
}
