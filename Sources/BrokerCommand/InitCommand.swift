import ArgumentParser
import Broker
import Foundation
import ProviderKit

struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write broker.json, plugins.json and a master key.",
        discussion: """
            Asks nothing; every value can be changed in the files. Never overwrites a file.

            Examples:
              broker init
              broker init --directory /etc/broker --project my-app \\
                --public-url https://id.example --origin https://app.example
            """.paragraphs)

    @Option(name: .long, help: "The folder to write to.")
    var directory = "."

    @Option(name: .long, help: "The URL clients reach the broker at.")
    var publicURL = "http://127.0.0.1:9099"

    @Option(name: .long, help: "The project's id: audience of its tokens.")
    var project = "my-app"

    @Option(
        name: .long,
        help: "A web origin whose pages may call the API and be returned to; may be given several times.")
    var origin: [String] = ["http://localhost:3000"]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            let files = BrokerFolder(directory)
            // Without the option the commands look for broker.json in the working folder.
            let option: TerminalText = files.isWorkingFolder ? "" : " --config \(ShellWord(files.configuration))"
            let apiKey = try files.write(publicURL: publicURL, project: project, origins: origin)
            output(
                [
                    "configuration": .string(files.configuration), "plugins": .string(files.plugins),
                    "masterKey": .string(files.masterKey), "apiKey": .string(apiKey),
                ],
                text: """
                    Wrote \(files.configuration)
                          \(files.plugins)
                          \(files.masterKey)   keep a copy in a safe place: without it the stored credentials are lost

                    API key for your apps: \(apiKey)

                    Next: put your GitHub OAuth app's client id into plugins.json and its secret into
                    $GITHUB_CLIENT_SECRET, set "enabled": true, then
                      broker providers check\(option) && broker serve\(option)
                    """)
        }
    }
}
