import ArgumentParser
import Broker
import BrokerStore
import Foundation
import Logging
import ProviderKit

extension StoreCommand {
    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy", abstract: "Move a SQLite store to another database while brokers use it.",
            discussion: """
                Copies all rows, applies the changes made meanwhile, and then switches. During the switch writes are
                refused (503, clients retry) until the last changes are applied and both stores compare equal.
                Afterwards the old store refuses every broker: start the brokers with the new configuration.

                After an interruption the same command resumes. With --prepare-only it stops before the switch; run it
                again without the option to switch. With --rollback the copy is undone and the target emptied: always
                possible before the switch, and afterwards while the new store is unchanged (stop its brokers first).

                The target's configuration names the place of its password; the command line never contains one.

                Examples:
                  broker store copy --to broker-postgresql.json --prepare-only
                  broker store copy --to broker-postgresql.json
                  broker store copy --to broker-postgresql.json --rollback
                """.paragraphs)

        @Option(name: .long, help: "The configuration to serve with afterwards; its database is the target.")
        var to: String

        @Flag(name: .long, help: "Stop before the switch.")
        var prepareOnly = false

        @Flag(name: .long, help: "Undo the copy.")
        var rollback = false

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard !prepareOnly || !rollback else {
                throw ValidationError("--prepare-only and --rollback exclude each other.")
            }
            guard to.hasSuffix(".json") else {
                throw ValidationError("--to takes a configuration file, such as broker-new.json.")
            }
        }

        func run() async throws {
            try await output.reporting {
                options.startLogging(otherwise: .warning)
                let source = DatabaseName(try options.load())
                let target = try DatabaseName(argument: to)
                guard source.description != target.description else { throw TransferRefusal.sameStore }
                try await source.withStore { store in
                    try await target.withStore(mayMake: true) { other in
                        let progress = ProgressLine()
                        let copy = StoreCopy(
                            from: store, to: other, names: (source.description, target.description),
                            now: { Timestamp(Date()) }, report: { progress.note($0) })
                        try await perform(copy, source.description, target.description)
                    }
                }
            }
        }

        private func perform(_ copy: StoreCopy, _ source: String, _ target: String) async throws {
            var document: JSONObject = ["from": .string(source), "to": .string(target)]
            if rollback {
                try await copy.takeBack()
                document["state"] = "withdrawn"
                output(.object(document), text: "Rolled back: brokers use \(source) as before.")
            } else if prepareOnly {
                try await copy.prepare()
                document["state"] = "prepared"
                output(.object(document), text: "Prepared. Run it again without --prepare-only to switch.")
            } else {
                let tables = try await copy.move(.commandLine("store.moving", ["to": .string(target)]))
                document["state"] = "moved"
                document["tables"] = .array(tables.map(\.document))
                output(.object(document), text: "Moved. Serve with \(to) from now on.")
            }
        }
    }
}

extension AuditEntry {
    /// An audit entry for an action of this program on the store.
    static func commandLine(_ event: String, _ detail: JSONObject) -> AuditEntry {
        let (now, origin) = (Date(), Origin.commandLine())
        return AuditEntry(
            key: KeyGenerator().next(at: now), at: Timestamp(now), actorKind: origin.actorKind, actor: origin.actor,
            event: event, requestID: origin.requestID, detail: AuditDetail(detail))
    }
}
