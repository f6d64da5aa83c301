import ArgumentParser
import Broker
import Foundation
import ProviderKit
import UnixSignals

struct PagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pages", abstract: "Look at the hosted pages and the console.", subcommands: [Preview.self])

    struct Preview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "preview", abstract: "Serve every page in every state, with made-up data.",
            discussion: """
                Serves the hosted pages and those of the console on 127.0.0.1 until Ctrl-C, for designers and tests: each
                page in each of its states, the hosted ones in every language, at an address of its own. It needs no
                broker and no database, nothing is stored, and forms lead nowhere.

                Examples:
                  broker pages preview
                  broker pages preview --port 9098 --site Acme
                  broker pages preview --config broker.json
                """.paragraphs)

        @Option(name: .long, help: "The port (default: a free port).")
        var port: UInt16 = 0

        @Option(name: .long, help: "The configuration file whose brand and texts the pages show (default: made-up).")
        var config: String?

        @Option(name: .long, help: "The name of the site on the pages (default: the brand's).")
        var site: String?

        @OptionGroup var host: HostOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let configuration = try config.map {
                    try Configuration.load(path: $0, environment: ProcessInfo.processInfo.environment)
                }
                let preview = try PagePreview(configuration, siteName: site)
                let service = try await ListeningService.start(until: [.sigterm, .sigint]) {
                    PreviewServer(preview, port: Int(port), onListening: $0)
                }
                guard let service else {
                    throw CommandFailure(code: "LISTEN", "cannot listen on port \(port): choose another --port")
                }
                output(
                    [
                        "url": .string(service.url), "pages": .array(preview.names.map { .string($0) }),
                        "languages": .array(preview.languageTags.map { .string($0) }),
                        "consolePages": .array(preview.consoleNames.map { .string($0) }),
                    ], text: "\(preview.names.count + preview.consoleNames.count) pages at \(service.url)")
                fflush(nil)
                await service.ended()
            }
        }
    }
}
