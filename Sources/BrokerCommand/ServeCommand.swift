import ArgumentParser
import Broker
import Foundation
import Logging
import ProviderKit
import ServiceLifecycle
import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve HTTP until SIGTERM or SIGINT.",
        discussion: """
            After the first signal the broker finishes the requests in progress, for half a minute at most. A second
            signal ends it at once.

            Examples:
              broker serve
              broker serve --config /etc/broker/broker.json --listen 127.0.0.1:8080
              broker serve --listen 0.0.0.0:443 --tls-cert chain.pem --tls-key key.pem
              broker serve --metrics-listen 127.0.0.1:9464
              broker serve --database /var/lib/broker/broker.sqlite
              BROKER_PUBLIC_URL=https://id.example broker serve
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var host: HostOptions
    @OptionGroup var output: OutputOptions

    @Option(name: .long, help: "The listen address, host:port; overrides the file and the environment.")
    var listen: String?

    @Option(
        name: .long, help: "The address of /metrics for Prometheus, host:port; overrides the file. Off by default.")
    var metricsListen: String?

    @Option(
        name: .long,
        help: "The SQLite file or postgresql:// URL, without a password; overrides the file and the environment.")
    var database: String?

    @Option(name: .long, help: "The TLS certificate, PEM, followed by its chain; overrides the file.")
    var tlsCert: String?

    @Option(name: .long, help: "The certificate's private key, PEM.")
    var tlsKey: String?

    func validate() throws {
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-cert and --tls-key must be given together.")
        }
    }

    func run() async throws {
        let log = StandardErrorLog()
        options.startLogging(otherwise: .info, to: log)
        try await output.reporting {
            defer { log.flush() }
            let environment = ProcessInfo.processInfo.environment
            var configuration = try options.load(tls: tls, database: database)
            if let listen { try configuration.override(listen: listen) }
            if let metricsListen { try configuration.serveMetrics(at: metricsListen, source: "--metrics-listen") }
            // Before anything is made that counts.
            if configuration.metricsListen != nil { MetricsRegistry.install() }
            let certificate = try configuration.tls.map { try ServerCertificate($0, environment: environment) }
            let core = try await BrokerCore.open(
                configuration, plugins: BrokerProgram.plugins, environment: environment)
            let server = BrokerServer(core, certificate: certificate) { url in
                UnusedPages.release()
                output(["broker": .string(url)], text: "broker listens at \(url)")
                fflush(nil)
            }
            try await withLogger(Logger(label: "broker")) { logger in
                let group = ServiceGroup(services: [server, UnusedPages.Releases()], logger: logger)
                try await StopSignals().watching(group) {
                    do {
                        try await group.run()
                    } catch let error as ConfigurationError {
                        await core.close()
                        throw error
                    } catch {
                        await core.close()
                        let listen = configuration.listen
                        throw CommandFailure(
                            code: "LISTEN", "cannot listen at \(listen.host):\(listen.port): the port may be in use")
                    }
                    await core.close()
                }
            }
        }
    }

    /// The TLS options of the command line.
    private var tls: TLSFiles? {
        guard let tlsCert, let tlsKey else { return nil }
        return TLSFiles(certificate: URL(filePath: tlsCert).path, key: URL(filePath: tlsKey).path)
    }
}
