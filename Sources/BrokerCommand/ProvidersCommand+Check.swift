import ArgumentParser
import Broker
import Foundation
import ProviderKit

extension ProvidersCommand {
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check the configuration of each provider against the provider itself.",
            discussion: """
                Checks host name, address, certificate, discovery document, keys, client registration and clock, as far
                as the provider supports it. Every finding has a stable code and a fix. Shows the redirect URI to
                register at each provider. Exits 0 without findings, otherwise 1. Disabled entries are listed and not
                checked. With --server the broker checks from its own host.

                Examples:
                  broker providers check
                  broker providers check github.com --json
                """.paragraphs)

        @Argument(help: "The provider's id, or its kind if only one entry has it (default: all enabled providers).")
        var id: String?

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let findings = try await options.withExecutor(asksProviders: true) { run in
                    if let id { return show(try await run(CheckProviderOperation(provider: id)).providers) }
                    let entries = try await run(ListProviders()).providers
                    var findings: [CheckProviderOperation.Finding] = []
                    for entry in entries where entry.enabled || entry.problem != nil {
                        findings += show(try await run(CheckProviderOperation(provider: entry.id)).providers)
                    }
                    return findings
                        + show(
                            entries.filter { !$0.enabled && $0.problem == nil }.map { entry in
                                .init(id: entry.id, code: "off", text: "this entry is disabled")
                            })
                }
                if output.json || findings.isEmpty {
                    try output(CheckProviderOperation.Answer(providers: findings)) { _ in
                        "No providers."
                    }
                }
                if findings.contains(where: \.isProblem) { throw ExitCode.failure }
            }
        }

        /// Prints text for each provider when its check ends: the next one may be slow.
        private func show(_ findings: [CheckProviderOperation.Finding]) -> [CheckProviderOperation.Finding] {
            guard !output.json else { return findings }
            for finding in findings { finding.line.show() }
            return findings
        }
    }
}

extension CheckProviderOperation.Finding {
    /// For the terminal, with the fix and the redirect URI.
    var line: TerminalText {
        let advice: TerminalText = fix.map { "\n  \($0)" } ?? ""
        let registration: TerminalText = redirectUri.map { "\n  redirect URI: \($0)" } ?? ""
        return "\(mark) \(id): \(text) [\(code)]\(advice)\(registration)"
    }

    private var mark: TerminalText {
        if isProblem { return "✗" }
        return code == "ok" ? "✓" : "–"
    }
}
