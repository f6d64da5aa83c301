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
                disable or unlink again where that happened since.

                Users who were deleted after the backup are deleted again with --erasures: the file that the broker
                writes beside the folder of a SQLite database, or the output of `broker store erasures`. Without it
                they come back, so the command asks first.

                Serve with the master key of the backup.

                Examples:
                  broker store restore --from monday.sqlite --erasures erasures.jsonl
                  broker store restore --from monday.sqlite --yes
                """.paragraphs)

        @Option(name: .long, help: "The backup, which is not changed.")
        var from: String

        @Option(name: .long, help: "The list of erasures to apply again; - for standard input.")
        var erasures: String?

        @Flag(name: .long, help: "Restore without a list of erasures, and without asking.")
        var yes = false

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
                let list = try list()
                let configuration = try options.load()
                if list == nil, !yes { try confirm(configuration) }
                let outcome = try await DatabaseName(configuration).withStore(mayMake: true) { store in
                    let progress = ProgressLine()
                    let restore = StoreRestore(
                        into: store, named: file, now: { Timestamp(Date()) }, report: { progress.note($0) })
                    let detail: JSONObject = ["from": .string(file), "erasures": .bool(list != nil)]
                    return try await restore(
                        from: file, repeating: list ?? [], audit: .commandLine("store.restored", detail))
                }
                var document: JSONObject = [
                    "from": .string(file), "tables": .array(outcome.digests.map(\.document)),
                ]
                document["erased"] = list.map { _ in .integer(Int64(outcome.erased)) }
                output(.object(document), text: text(outcome, hasList: list != nil))
            }
        }

        /// The erasures of the file that was named; nil without one.
        private func list() throws -> [Erasure]? {
            guard let erasures else { return nil }
            let contents =
                erasures == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: erasures)
            guard let contents else {
                throw CommandFailure(code: "NO_FILE", "\(erasures) cannot be read", exitCode: .validationFailure)
            }
            return try ErasureList.parse([UInt8](contents), source: erasures)
        }

        private func confirm(_ configuration: Configuration) throws {
            var warning = "users who were deleted after the backup come back without --erasures"
            if let file = configuration.database.erasureList, FileManager.default.fileExists(atPath: file) {
                warning += " (the list of this broker is \(file))"
            }
            guard (try? Confirmation.requireTerminal()) != nil else {
                throw CommandFailure(code: "NOT_CONFIRMED", "\(warning): name the list, or add --yes")
            }
            try Confirmation.require(
                "Restore without a list of erasures? Then \(warning). [y/N] ", otherwise: "nothing was restored")
        }

        private func text(_ outcome: StoreRestore.Outcome, hasList: Bool) -> TerminalText {
            let rows = outcome.digests.reduce(0) { $0 + $1.rows }
            let restored: TerminalText = "Restored \(rows.rowsText). All users have to sign in again."
            guard hasList else {
                return "\(restored) No erasures were applied: delete users again who were deleted after the backup."
            }
            return "\(restored) Deleted \(outcome.erased) users again."
        }
    }
}
