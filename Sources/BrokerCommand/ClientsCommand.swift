import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct ClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients", abstract: "Manage the apps that sign users in with OpenID Connect.",
        subcommands: [
            Add.self, command(of: ListClients.self), command(of: ShowClient.self), Update.self,
            command(of: CheckClient.self), command(of: RotateClientSecret.self),
            command(of: ClientPropertyList.self),
            command(of: RemoveClient.self),
        ])
}

extension ClientChangeAnswer {
    /// Prints the warnings about the registration on standard error.
    func warn() {
        for warning in warnings ?? [] { TerminalText("broker: warning: \(warning)").warn() }
    }
}
