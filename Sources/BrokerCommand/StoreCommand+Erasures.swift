import ArgumentParser
import Broker
import BrokerStore
import Foundation
import Logging
import ProviderKit

extension StoreCommand {
    struct Erasures: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erasures", abstract: "List the deleted users, for a restore of an earlier backup.",
            discussion: """
                Prints a line of JSON for each deletion that the audit still has: the user's local id and the time.
                Keep the output apart from the backups, and for as long as them: `broker store restore --erasures`
                deletes these users again.

                A broker with a SQLite database writes the same lines to a file beside the folder of its database.
                With PostgreSQL run this command often, and after each deletion that must not be undone.

                Examples:
                  broker store erasures > erasures.jsonl
                  broker store erasures --config /etc/broker/broker.json --json
                """.paragraphs)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                options.startLogging(otherwise: .warning)
                var documents: [JSONValue] = []
                try await DatabaseName(try options.load()).withStore { store in
                    var after: Int64 = 0
                    while true {
                        let page = try await store.read { [after] in try $0.erasures(after: after, limit: 500) }
                        guard let last = page.last else { return }
                        after = last.key
                        if output.json {
                            documents += page.map { .object(ErasureList.document(of: $0.erasure)) }
                        } else {
                            for row in page {
                                TerminalText(json: .object(ErasureList.document(of: row.erasure))).show()
                            }
                        }
                    }
                }
                if output.json { output(["erasures": .array(documents)], text: "") }
            }
        }
    }
}
