import ArgumentParser
import Broker
import ProviderKit

extension VaultCommand {
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Open every sealed value of the store, also while brokers use it.",
            discussion: """
                Prints one line for each value that does not open, and exits 1 if there is any: it was damaged or moved
                from another row (corrupt), or sealed under a key that is not configured (unknownKey). Rows are
                identified by their private keys; the output contains no value.

                Examples:
                  broker vault verify
                  broker vault verify --json
                """.paragraphs)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let progress = ProgressLine()
                let (values, findings) = try await options.withVault { vault in
                    try await vault.verify { progress.note("opening", $0, of: $1, "values") }
                }
                let text: TerminalText =
                    findings.isEmpty
                    ? "Every one of \(values) sealed values opens."
                    : findings.map(\.line).joined(separator: "\n")
                output(
                    [
                        "ok": .bool(findings.isEmpty), "values": .integer(Int64(values)),
                        "findings": .array(findings.map(\.document)),
                    ], text: text)
                guard findings.isEmpty else { throw ExitCode.failure }
            }
        }
    }
}

extension VaultFinding {
    var line: TerminalText {
        let key = keyID.map { "; under key \($0)" } ?? ""
        return "\(table).\(column), row \(String(row)): \(problem.rawValue)\(key)"
    }

    var document: JSONValue {
        var object: JSONObject = [
            "table": .string(table), "column": .string(column), "row": .string(String(row)),
            "problem": .string(problem.rawValue),
        ]
        object["masterKey"] = keyID.map(JSONValue.string)
        return .object(object)
    }
}
