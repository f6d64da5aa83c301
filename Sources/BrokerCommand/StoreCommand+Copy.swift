import ArgumentParser
import Broker
import BrokerStore
import Foundation
import Logging
import ProviderKit

extension StoreCommand {
    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Move a SQLite store into another database while brokers serve from it.",
            discussion: """
                Copies everything, follows what changes meanwhile, and then switches: writes are refused (503, clients try
                again) until the last changes are over there and both are proven equal. From then on the old store refuses
                every broker; start them with the new configuration.

                Interrupted at any moment, the same command goes on where it stopped. With --prepare-only it stops before
                the switch, so that you choose the moment: run it again without. With --rollback the copy is taken back:
                before the switch always, afterwards as long as nothing has changed in the new store (stop its brokers
                first); the target is emptied.

                Passwords of the target stand where its configuration says, never here.

                Examples:
                  broker store copy --to broker-postgresql.json --prepare-only
                  broker store copy --to broker-postgresql.json
                  broker store copy --to broker-postgresql.json --rollback
                """.paragraphs)

        @Option(name: .long, help: "The configuration you will serve with afterwards: its database is the target.")
        var to: String

        @Flag(name: .long, help: "Stop before the switch.")
        var prepareOnly = false

        @Flag(name: .long, help: "Take the copy back.")
        var rollback = false

        @OptionGroup var options: ConfigurationOptions
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
                        let progress = CopyProgressLog()
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
                output(.object(document), text: "Taken back: \(source) is served as before.")
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
    /// What whoever runs this program did to the store.
    static func commandLine(_ event: String, _ detail: JSONObject) -> AuditEntry {
        let (now, origin) = (Date(), Origin.commandLine())
        return AuditEntry(
            key: KeyGenerator().next(at: now), at: Timestamp(now), actorKind: origin.actorKind, actor: origin.actor,
            event: event, requestID: origin.requestID, detail: JSONValue.object(detail).serialized())
    }
}
