import ArgumentParser
import Broker
import Foundation
import ProviderKit

extension UsersCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Export all users with their identities.",
            discussion: """
                jsonl is what `broker users import --format jsonl` reads back: one record in each line, with issuers,
                profiles, aliases and claims. firebase is one document for Firebase's tools, without what those do not
                know. Sessions and tokens of providers are never exported.

                Users come in the order of their ids, in pages. Each page is the state of one moment: a user who is
                changed, created or deleted meanwhile may be there as before or as after.

                Examples:
                  broker users export --output users.jsonl
                  broker users export --format firebase --output users.json
                  broker users export | grep '"disabled":true'
                """.paragraphs)

        @Option(name: .long, help: "jsonl or firebase.")
        var format = "jsonl"

        @Option(name: .long, help: "A new file, which only its owner can read (default: standard output).")
        var output: String?

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var reporting: OutputOptions

        func validate() throws {
            guard ["jsonl", "firebase"].contains(format) else {
                throw ValidationError("--format takes jsonl or firebase.")
            }
        }

        func run() async throws {
            try await reporting.reporting {
                let work = UserExport(path: output, isDocument: format == "firebase")
                let count = try await options.withExecutor { try await work($0) }
                guard let path = output else { return }
                reporting(
                    ["users": .integer(Int64(count)), "file": .string(path)],
                    text: "Exported \(count) users to \(path).")
            }
        }
    }
}
