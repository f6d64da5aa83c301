import ArgumentParser
import Broker
import Foundation
import ProviderKit

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Show whether the broker on this host is ready to serve.",
        discussion: """
            Requests /readyz at the broker's listen address. Exits 0 when the broker and its database answer within ten
            seconds, otherwise 1. With --alive it requests /healthz, which needs no database. Use --alive for a
            supervisor that restarts unhealthy processes: a restart does not repair a database.

            Examples:
              broker health
              broker health --alive --json
              broker health --config /etc/broker/broker.json --listen 127.0.0.1:8080
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var host: HostOptions
    @OptionGroup var output: OutputOptions

    @Option(name: .long, help: "The broker's listen address, host:port; overrides the file and the environment.")
    var listen: String?

    @Flag(name: .long, help: "Use TLS; implied when the file names a certificate.")
    var tls = false

    @Flag(name: .long, help: "Check only the broker, not its database.")
    var alive = false

    func run() async throws {
        try await output.reporting {
            let probe = HealthProbe(of: try address(), overTLS: speaksTLS, path: alive ? "/healthz" : "/readyz")
            let status = try await probe()
            output(["url": .string(probe.url), "status": .string(status)], text: "\(probe.url): \(status)")
        }
    }

    /// With `--listen` the configuration file is optional.
    private var speaksTLS: Bool { tls || (try? options.load())?.tls != nil }

    private func address() throws(ConfigurationError) -> Configuration.ListenAddress {
        let address =
            if let listen {
                try Configuration.ListenAddress(parsing: listen, source: "--listen")
            } else {
                try options.load().listen
            }
        guard address.port > 0 else {
            throw ConfigurationError(
                "the listen address", "has port 0, so the broker chose a free port.",
                fix: "Pass the address it printed with --listen.")
        }
        return address
    }
}
