import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

extension AuditCommand {
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Verify that no audit entry was edited, removed, inserted or moved.",
            discussion: """
                It checks the hash chain of all entries from the first one that was not removed by its age. The end of the
                chain is printed as number:seal. Note it outside of the broker's database: with --expect a later run also
                finds a chain that was cut off together with its record.

                The exit code is 1 when something was found. Entries that are not sealed yet are counted and are no
                finding, as long as a running broker seals them.

                Examples:
                  broker audit verify
                  broker audit verify --expect 1044:5f3a… --json
                """.paragraphs)

        @Option(name: .long, help: "An earlier end of the chain, as number:seal.")
        var expect: String?

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let report = try await verify()
                try output(report) { $0.text }
                if report.findingCount > 0 { throw ExitCode.failure }
            }
        }

        private func verify() async throws -> AuditReport {
            try await options.withExecutor { try await VerifyAuditChain.wholeChain(expecting: expect, by: $0) }
        }
    }
}

extension AuditReport {
    fileprivate var text: TerminalText {
        var lines: [TerminalText] = findings.map { "\($0.text)" }
        if findingCount > findings.count { lines.append("\(findingCount - findings.count) more findings") }
        lines.append("\(entries) entries verified, \(findingCount) findings.")
        if removed > 0 { lines.append("Entries up to \(removed) were removed by their age.") }
        if let oldestUnsealed {
            let age = max(Int(Date().timeIntervalSince(oldestUnsealed.date)), 0)
            lines.append("\(unsealed) entries are not sealed yet, the oldest for \(age) seconds.")
            if age > 60 { lines.append("No running broker seals them. Look for audit messages in the brokers' logs.") }
        }
        if let head { lines.append("End of the chain: \(head.description)") }
        return lines.joined(separator: "\n")
    }
}
