import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List and check the configured identity providers.",
        subcommands: [List.self, Check.self, ResumeProbes.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the entries of plugins.json.",
            discussion: "Example:\n  broker providers list --json")

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(ListProviders())
                try output(answer) { answer in
                    answer.providers.isEmpty ? "plugins.json has no entries." : Self.table.text(answer.providers)
                }
            }
        }

        private static var table: Table<ListProviders.ProviderAnswer> {
            Table(
                Table.Column("ID") { $0.id }, Table.Column("USE") { $0.use },
                Table.Column("STATE") { provider in
                    !provider.enabled ? "off" : provider.probesPaused == nil ? "enabled" : "enabled, probes paused"
                },
                Table.Column("E-MAIL") { $0.trustEmail == true ? "trusted" : "" },
                Table.Column("INSTANCE", mayBeCut: true) { $0.instance ?? "" })
        }
    }
}
