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
            Add.self, command(of: SearchCatalogue.self), command(of: ListProviders.self), Update.self,
            command(of: EnableProvider.self), command(of: DisableProvider.self),
            command(of: RemoveProvider.self), Check.self, Try.self, command(of: ResumeProviderProbes.self),
        ])
}
