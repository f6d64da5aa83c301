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
            Add.self, OperationCommand<SearchCatalogue>.self, OperationCommand<ListProviders>.self, Update.self,
            OperationCommand<EnableProvider>.self, OperationCommand<DisableProvider>.self,
            OperationCommand<RemoveProvider>.self, Check.self, Try.self, OperationCommand<ResumeProviderProbes>.self,
        ])
}
