import ArgumentParser
import Broker
import Foundation
import ProviderKit

struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write broker.json, plugins.json and a master key.",
        discussion: """
            Not interactive; edit the files to change a value. Never overwrites a file.

            Examples:
              broker init
              broker init --directory /etc/broker --project my-app \\
                --public-url https://id.example --origin https://app.example
            """.paragraphs)

    @Option(name: .long, help: "The folder for the files.")
    var directory = "."

    @Option(name: .long, help: "The broker's URL for clients.")
    var publicURL = "http://127.0.0.1:9099"

    @Option(name: .long, help: "The project id, which is the audience of its tokens.")
    var project = "my-app"

    @Option(
        name: .long,
        help: "A web origin that may call the API and be redirected to; repeatable.")
    var origin: [String] = ["http://localhost:3000"]

    @OptionGroup var host: HostOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.reporting {
            let files = BrokerFolder(directory)
            // Without --config the commands read broker.json in the working folder.
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
                          \(files.masterKey)   back it up in a safe place: without it the stored credentials are lost

                    API key for your apps: \(apiKey)

                    Next: add a provider, such as your GitHub OAuth app, and start the broker:
                      broker providers add github.com\(option) --client-id CLIENT_ID --prompt-secret
                      broker providers check\(option) && broker serve\(option)
                    """)
        }
    }
}

/// A word of a shell command to copy and paste, quoted where the shell requires it.
private struct ShellWord: CustomStringConvertible {
    let description: String

    init(_ word: String) {
        let isPlain = !word.isEmpty && word.utf8.allSatisfy(Self.isPlain)
        description = isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/._-+:@%".utf8.contains(byte)
        }
    }
}
