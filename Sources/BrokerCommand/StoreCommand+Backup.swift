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
                  broker store backup --to /var/backups/broker.sqlite
                  broker store backup --to backup.sqlite --json
                """.paragraphs)

        @Option(name: .long, help: "The file to write.")
        var to: String

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                options.startLogging(otherwise: .warning)
                let file = URL(filePath: to).standardizedFileURL.path
                try await DatabaseName(try options.load()).backUp(to: file)
                // A store that has not been upgraded yet is backed up as it is, and has not all tables to count.
                let digests = try await DatabaseName(argument: file).withStore { store -> [TableDigest]? in
                    let version = try await store.read { try $0.schemaVersion() }
                    return version == Migration.all.last?.version ? try await store.digests() : nil
                }
                output(
                    ["file": .string(file), "tables": .array((digests ?? []).map(\.document))],
                    text: digests.map { "Wrote \($0.reduce(0) { $0 + $1.rows }.rowsText) to \(file)." }
                        ?? "Wrote \(file), with the schema of an earlier broker.")
            }
        }

        func validate() throws {
            guard !to.hasSuffix(".json") else {
                throw ValidationError("--to takes a database file, such as backup.sqlite.")
            }
        }
    }
}
