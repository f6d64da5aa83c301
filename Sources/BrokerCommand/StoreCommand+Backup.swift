import ArgumentParser
import Broker
import BrokerStore
import Foundation
import Logging
import ProviderKit

extension StoreCommand {
    struct Backup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a consistent copy of the store into a new file, also while brokers serve from it.",
            discussion: """
                The file is readable by its owner only (mode 0600) and appears when it is complete; a file that is there is
                not replaced. Private keys and provider tokens in it are sealed with the master key, which it does not
                hold: keep that elsewhere.

                Examples:
                  broker store backup --to /var/backups/broker-$(date +%F).sqlite
                  broker store backup --to backup.sqlite --json
                """)

        @Option(name: .long, help: "The file to write.")
        var to: String

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                options.startLogging(otherwise: .warning)
                let file = URL(filePath: to).standardizedFileURL.path
                try await DatabaseName(try options.load()).backUp(to: file)
                let digests = try await DatabaseName(argument: file).withStore { try await $0.digests() }
                output(
                    ["file": .string(file), "tables": .array(digests.map(\.document))],
                    text: "Wrote \(digests.reduce(0) { $0 + $1.rows }) rows to \(file).")
            }
        }

        func validate() throws {
            guard !to.hasSuffix(".json") else {
                throw ValidationError("--to takes a database file, such as backup.sqlite.")
            }
        }
    }
}
