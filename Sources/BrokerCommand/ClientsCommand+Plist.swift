import ArgumentParser
import Broker
import Foundation

extension ClientsCommand {
    struct Plist: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "plist", abstract: "Write a property list with what an iOS or macOS app needs.",
            discussion: """
                The list has the issuer, the client id and the redirect URI for the app's code, and CFBundleURLTypes and
                LSApplicationQueriesSchemes for its Info.plist. Where a redirect URI is an https address it has
                com.apple.developer.associated-domains for the app's entitlements. A loopback redirect URI is none of an app
                with a window, so it is left out. The list has no secret. Only native clients have one.

                Example:
                  broker clients plist 4fJqW8… > Broker.plist
                """.paragraphs)

        @Argument(help: "The client's id.")
        var client: String

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.run(ClientPropertyList(client: client))
                let encoder = PropertyListEncoder()
                encoder.outputFormat = .xml
                // Control characters are escaped on a terminal, and the indentation is tabs.
                let xml = String(decoding: try encoder.encode(answer), as: UTF8.self).replacing("\t", with: "    ")
                try output(answer) { _ in TerminalText(escapingLines: xml) }
            }
        }
    }
}
