import ArgumentParser
import Broker
import Foundation
import ProviderKit

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "See and check the configured identity providers.",
        subcommands: [List.self, Check.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the entries of plugins.json.",
            discussion: "Example:\n  broker providers list --json")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                try await options.withCore(asksProviders: true) { core in
                    let providers = core.providers
                    let lines = providers.providers.map(\.line) + providers.disabled.map(\.line)
                    output(
                        ["providers": .array(providers.providers.map(\.document) + providers.disabled.map(\.document))],
                        text: lines.isEmpty ? "plugins.json has no entries." : lines.joined(separator: "\n"))
                }
            }
        }
    }
}

extension ConfiguredProvider {
    fileprivate var document: JSONValue {
        [
            "id": .string(id), "use": .string(kind.rawValue), "enabled": true,
            "trustEmail": .bool(trustsEmail), "instance": .string(instance),
            "accepts": .array(provider.accepts.map(\.rawValue).sorted().map(JSONValue.string)),
        ]
    }

    fileprivate var line: String {
        "\(id)  \(kind)  enabled  \(trustsEmail ? "trusts e-mail  " : "")\(instance)"
    }
}

extension PluginsFile.Entry {
    fileprivate var document: JSONValue {
        ["id": .string(id), "use": .string(use.rawValue), "enabled": false]
    }

    fileprivate var line: String { "\(id)  \(use)  off" }
}
