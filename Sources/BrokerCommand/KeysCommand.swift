import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "List and rotate the keys that sign tokens.",
        subcommands: [command(of: ListSigningKeys.self), command(of: RotateSigningKeysOperation.self)])
}
