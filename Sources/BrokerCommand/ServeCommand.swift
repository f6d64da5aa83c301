import ArgumentParser
import Broker
import Foundation
import Logging
import ProviderKit
import ServiceLifecycle
import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Answer HTTP until SIGTERM or SIGINT.",
        discussion: """
            The first signal ends it once every request that has begun is answered, within half a minute; a second one at
            once.

            Examples:
              broker serve
              broker serve --config /etc/broker/broker.json --listen 127.0.0.1:8080
              BROKER_PUBLIC_URL=https://id.example broker serve
            """)

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    @Option(name: .long, help: "Where to listen, host:port; goes before the file and the environment.")
    var listen: String?

    func run() async throws {
        options.startLogging(otherwise: .info)
        try await output.reporting {
            var configuration = try options.load()
            if let listen { try configuration.override(listen: listen) }
            let core = try await BrokerCore.open(
                configuration, plugins: BrokerProgram.plugins, environment: ProcessInfo.processInfo.environment)
            let server = BrokerServer(core) { url in
                output(["broker": .string(url)], text: "broker listens at \(url)")
                fflush(nil)
            }
            try await withLogger(Logger(label: "broker")) { logger in
                let group = ServiceGroup(services: [server], logger: logger)
                try await StopSignals().watching(group) {
                    do {
                        try await group.run()
                    } catch {
                        await core.close()
                        let listen = configuration.listen
                        throw CommandFailure(
                            code: "LISTEN", "cannot listen at \(listen.host):\(listen.port): is it taken?")
                    }
                    await core.close()
                }
            }
        }
    }
}
