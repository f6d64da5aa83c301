import ArgumentParser
import Broker
import BrokerStore
import Foundation
import Logging
import ProviderKit

extension StoreCommand {
    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fill the configured store, which must be empty, from a backup.",
            discussion: """
                Users, their identities and their history come back as they were. Everything that was issued to anybody
                before is dead: sessions, refresh tokens, ID tokens, pending sign-ins and signing keys; broker serve makes
                new keys. What was changed after the backup is not known: who was disabled, deleted or unlinked since has
                to be so again.

                Serve with the master key the backup belongs to.

                Example:
                  broker store restore --from /var/backups/broker-monday.sqlite
                """.paragraphs)

        @Option(name: .long, help: "The backup. It stays as it is.")
        var from: String

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                options.startLogging(otherwise: .warning)
                let file = URL(filePath: from).standardizedFileURL.path
                guard FileManager.default.fileExists(atPath: file) else {
                    throw CommandFailure(code: "NO_DATABASE", "there is no backup at \(file)")
                }
                let digests = try await DatabaseName(try options.load()).withStore(mayMake: true) { store in
                    let progress = CopyProgressLog()
                    let restore = StoreRestore(
                        into: store, named: file, now: { Timestamp(Date()) }, report: { progress.note($0) })
                    return try await restore(
                        from: file, audit: .commandLine("store.restored", ["from": .string(file)]))
                }
                output(
                    ["from": .string(file), "tables": .array(digests.map(\.document))],
                    text: "Restored \(digests.reduce(0) { $0 + $1.rows }.rowsText). Everybody has to sign in again.")
            }
        }
    }
}
