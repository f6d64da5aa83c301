import ArgumentParser
import Broker
import ProviderKit

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of a configuration file, for editors.",
        discussion: """
            The schema is of this build: that of plugins.json has the options that its plugins declare. Editors that read
            it complete and check the file: name it as "$schema". catalogue is the document of a provider in the
            catalogue, in Sources/Broker/Configuration/Catalogue/Documents.

            Examples:
              broker schema plugins > plugins.schema.json
              broker schema broker > broker.schema.json
            """.paragraphs)

    @Argument(
        help: "The file: plugins for plugins.json, broker for broker.json, catalogue for a provider of the catalogue.")
    var file: ConfigurationSchema

    func run() {
        TerminalText(json: .object(file.document(plugins: BrokerProgram.plugins)), indented: true).show()
    }
}

extension ConfigurationSchema: ExpressibleByArgument {}
