import ArgumentParser
import Broker
import BrokerStore
import Foundation
import Logging
import ProviderKit

extension StoreCommand {
    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore", abstract: "Restore a backup into the configured store, which must be empty.",
            discussion: """
                Users, identities and history are restored. Sessions, refresh tokens, ID tokens, pending sign-ins and
                signing keys are invalid afterwards; broker serve makes new keys. Changes after the backup are lost:
                disable, delete or unlink again where that happened since.

                Serve with the master key of the backup.

                Example:
                  broker store restore --from /var/backups/broker-monday.sqlite
                """.paragraphs)

        @Option(name: .long, help: "The backup, which is not changed.")
        var from: String

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
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
                    text: "Restored \(digests.reduce(0) { $0 + $1.rows }.rowsText). All users have to sign in again.")
            }
        }
    }
}
