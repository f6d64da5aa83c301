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

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit takes 1 to 1000.") }
    }

    func run() async throws {
        try await output.reporting {
            let (decisions, survivor) = try await options.withCore { core in
                (try await core.explain(name, limit: limit), try await core.explain.survivor(of: name))
            }
            guard let decisions else {
                throw CommandFailure(code: "NOTHING_KNOWN", "no user and no request has the name \(name)")
            }
            var document: JSONObject = ["decisions": .array(decisions.map(\.document))]
            document["mergedInto"] = survivor.map(JSONValue.string)
            let merge: TerminalText = survivor.map { "User \(name) was merged into \($0).\n\n" } ?? ""
            let records =
                decisions.isEmpty
                ? "This user has no decisions." : decisions.map(\.text).joined(separator: "\n\n")
            output(.object(document), text: "\(merge)\(records)")
        }
    }
}

extension Decision {
    fileprivate var document: JSONValue {
        var object: JSONObject = [
            "at": at.document, "requestId": .string(requestID), "provider": .string(provider),
            "issuer": .string(issuer), "subjectHash": .string(subjectHash), "rule": .string(rule),
            "result": .string(outcome), "evidence": (try? JSONValue(parsing: evidence.utf8)) ?? .string(evidence),
        ]
        object["localId"] = localID.map(JSONValue.string)
        return .object(object)
    }

    fileprivate var text: TerminalText {
        let user: TerminalText = localID.map { "  user \($0)" } ?? ""
        return """
            \(at.text)  \(outcome)\(user)
              rule      \(rule)
              provider  \(provider) (\(issuer)), subject \(subjectHash)
              evidence  \(evidence)
              request   \(requestID)
            """
    }
}
