import ArgumentParser
import Broker
import BrokerStore
import Logging
import ProviderKit

extension StoreCommand {
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Examine every table of the store, also while brokers serve from it.",
            discussion: """
                Prints one line for each row that contradicts another, and exits with 1 if there is any. Rows are named by
                their private keys; nothing personal is printed.

                With --against the tables are also compared with those of another database, row by row through SHA-256.
                Brokers that write in the meantime make the two differ. A backup of an earlier broker is brought up to
                date in a temporary copy first.

                Examples:
                  broker store verify
                  broker store verify --against /var/backups/broker-monday.sqlite
                  broker store verify --against /etc/broker/broker-postgresql.json --json
                """.paragraphs)

        @Option(name: .long, help: "Compare with the database of this configuration (….json) or with this backup.")
        var against: String?

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                options.startLogging(otherwise: .warning)
                let report = try await DatabaseName(try options.load()).withStore { try await $0.examine() }
                let others = try await against.map(DatabaseName.init(argument:))?.digests()
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
            if lines.isEmpty { lines = ["Nothing is wrong with \(rows.rowsText) in \(report.tables.count) tables."] }
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
