import ArgumentParser
import Broker
import Foundation
import ProviderKit

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show the configuration that a broker would start with.",
        subcommands: [Show.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show each key of broker.json and plugins.json, its value and where that comes from.",
            discussion: """
                A value comes from the file, from a variable, which goes before the file, or is the default. Secrets are
                hidden, and options that a plugin does not declare. Entries of the store are not shown: providers list
                has them. Project settings that the file does not have (authorized domains, anonymous sign-in, e-mail
                enumeration) may have been changed by administrators, whose values are in the store.

                Examples:
                  broker config show
                  broker config show --config /etc/broker/broker.json --json
                """.paragraphs)

        @OptionGroup var host: HostOptions
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let settings = try options.settings()
                let document = JSONValue.object([
                    "settings": .array(try settings.map { try JSONValueEncoder().encode($0) })
                ])
                output(document, text: Table<EffectiveSetting>.settings.text(settings))
            }
        }
    }
}

extension Table<EffectiveSetting> {
    fileprivate static var settings: Table<EffectiveSetting> {
        Table(
            Table.Column("KEY") { $0.name },
            Table.Column("VALUE") { setting in
                setting.value.map { $0.string ?? $0.serialized() } ?? setting.remark ?? ""
            },
            Table.Column("FROM") { $0.source })
    }
}
