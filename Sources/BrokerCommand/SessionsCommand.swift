import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List and revoke a user's sessions.",
        subcommands: [command(of: ListUserSessions.self), Revoke.self])
}
