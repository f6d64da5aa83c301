import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct ClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients", abstract: "Manage the apps that sign users in with OpenID Connect.",
        subcommands: [
            Add.self, OperationCommand<ListClients>.self, OperationCommand<ShowClient>.self, Update.self,
            OperationCommand<CheckClient>.self, OperationCommand<RotateClientSecret>.self,
            OperationCommand<ClientPropertyList>.self,
            OperationCommand<RemoveClient>.self,
        ])
}

extension ClientChangeAnswer {
    /// Prints the warnings about the registration on standard error.
    func warn() {
        for warning in warnings ?? [] { TerminalText("broker: warning: \(warning)").warn() }
    }
}
