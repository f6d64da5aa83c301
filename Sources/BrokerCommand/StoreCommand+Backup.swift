import ArgumentParser
import Broker
import BrokerStore
import Foundation
import Logging
import ProviderKit

extension StoreCommand {
    struct Backup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup", abstract: "Back up the store to a new file, also while brokers use it.",
            discussion: """
                The backup is a consistent SQLite file, readable by its owner only (mode 0600). The file appears when it
                is complete; an existing file is not replaced. Private keys and provider tokens in it are sealed with
                the master key, which is not part of the backup: store the key elsewhere.

                Examples:
                  broker store backup --output /var/backups/broker.sqlite
                  broker store backup --output backup.sqlite --json
                """.paragraphs)

        @Option(name: .long, help: "The new file, which only its owner can read.")
        var output: String?

        @Option(name: .long, help: ArgumentHelp("The earlier name of --output.", visibility: .hidden))
        var to: String?

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var format: OutputOptions

        func run() async throws {
            try await format.reporting {
                options.startLogging(otherwise: .warning)
                let file = URL(filePath: output ?? to ?? "").standardizedFileURL.path
                let progress = ProgressLine()
                try await DatabaseName(try options.load()).backUp(to: file) { progress.note($0) }
                // A store of an earlier version is backed up unchanged and may lack tables to count.
                let digests = try await DatabaseName(argument: file).withStore { store -> [TableDigest]? in
                    let version = try await store.read { try $0.schemaVersion() }
                    return version == Migration.all.last?.version ? try await store.digests { progress.note($0) } : nil
                }
                format(
                    ["file": .string(file), "tables": .array((digests ?? []).map(\.document))],
                    text: digests.map { "Wrote \($0.reduce(0) { $0 + $1.rows }.rowsText) to \(file)." }
                        ?? "Wrote \(file), with the schema of an earlier version.")
            }
        }

        func validate() throws {
            guard (output == nil) != (to == nil), let path = output ?? to, !path.hasSuffix(".json") else {
                throw ValidationError("--output takes a database file, such as backup.sqlite.")
            }
        }
    }
}
