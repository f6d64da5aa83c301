import ArgumentParser
import Broker
import BrokerStore
import Logging
import ProviderKit

extension StoreCommand {
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Verify every table of the store, also while brokers use it.",
            discussion: """
                Prints one line for each inconsistent row, and exits 1 if there is any. Rows are identified by their
                private keys; the output contains no personal data.

                --against also compares the tables with those of another database, row by row with SHA-256. Writes
                during the comparison make the two differ. The output says whether they are equal. A backup of an earlier version is migrated in a temporary
                copy first.

                Examples:
                  broker store verify
                  broker store verify --against /var/backups/broker-monday.sqlite
                  broker store verify --against /etc/broker/broker-postgresql.json --json
                """.paragraphs)

        @Option(name: .long, help: "A configuration (….json), whose database to compare with, or a backup.")
        var against: String?

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                options.startLogging(otherwise: .warning)
                let progress = ProgressLine()
                let report = try await DatabaseName(try options.load()).withStore { store in
                    try await store.examine { progress.note($0) }
                }
                let others = try await against.map(DatabaseName.init(argument:))?.digests { progress.note($0) }
                let differing = others.map { report.tables.differing(from: $0) }
                output(document(report, differing), text: text(report, differing))
                guard report.violations.isEmpty, differing?.isEmpty != false else { throw ExitCode.failure }
            }
        }

        private func document(_ report: StoreReport, _ differing: [String]?) -> JSONValue {
            var object: JSONObject = [
                "ok": .bool(report.violations.isEmpty && differing?.isEmpty != false),
                "schemaVersion": .number(JSONNumber(report.schemaVersion)),
                "tables": .array(report.tables.map(\.document)),
                "violations": .array(report.violations.map(\.document)),
            ]
            object["differing"] = differing.map { .array($0.map(JSONValue.string)) }
            return .object(object)
        }

        private func text(_ report: StoreReport, _ differing: [String]?) -> TerminalText {
            let rows = report.tables.reduce(0) { $0 + $1.rows }
            var lines = report.violations.map(\.line)
            lines += (differing ?? []).map { "\($0): differs from the other database" as TerminalText }
            if lines.isEmpty { lines = ["No problems in \(rows.rowsText) of \(report.tables.count) tables."] }
            if let differing, differing.isEmpty { lines.append("The databases are equal.") }
            return lines.joined(separator: "\n")
        }
    }
}

extension Violation {
    fileprivate var line: TerminalText { "\(table)\(row.map { " \($0)" } ?? ""): \(complaint)" }

    fileprivate var document: JSONValue {
        var object: JSONObject = ["table": .string(table), "problem": .string(complaint)]
        object["row"] = row.map(JSONValue.string)
        return .object(object)
    }
}
