import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "Manage and check the identity providers.",
        discussion: """
            Entries stand in plugins.json, which the operator of the host edits, or in the store, which these commands and
            the admin API write. Running brokers follow a change of either within five seconds.
            """.paragraphs,
        subcommands: [
            Add.self, List.self, Update.self, Enable.self, Disable.self, Remove.self, Check.self, ResumeProbes.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the entries of plugins.json and of the store.",
            discussion: """
                SOURCE says where an entry stands. An entry of the store that is left out has its reason below the table;
                all the others work.

                Examples:
                  broker providers list
                  broker providers list --json
                """.paragraphs)

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(ListProviders())
                try output(answer) { answer in
                    answer.providers.isEmpty ? "No providers." : Self.text(answer.providers)
                }
            }
        }

        private static func text(_ providers: [ListProviders.ProviderAnswer]) -> TerminalText {
            let problems = providers.compactMap { provider in provider.problem.map { "\(provider.id): \($0)" } }
            let text = table.text(providers)
            guard !problems.isEmpty else { return text }
            return TerminalText(escapingLines: text.description + "\n\n" + problems.joined(separator: "\n"))
        }

        private static var table: Table<ListProviders.ProviderAnswer> {
            Table(
                Table.Column("ID") { $0.id }, Table.Column("USE") { $0.use ?? "" },
                Table.Column("SOURCE") { $0.source }, Table.Column("STATE", value: state),
                Table.Column("E-MAIL") { $0.trustEmail == true ? "trusted" : "" },
                Table.Column("INSTANCE", mayBeCut: true) { $0.instance ?? "" })
        }

        private static func state(_ provider: ListProviders.ProviderAnswer) -> String {
            if provider.problem != nil { return "left out" }
            guard provider.enabled else { return "off" }
            return provider.probesPaused == nil ? "enabled" : "enabled, probes paused"
        }
    }
}
