import ArgumentParser
import Broker
import Foundation
import ProviderKit

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Ask the broker that runs on this host whether it can serve.",
        discussion: """
            Asks /readyz at the address the broker is configured to listen at. Exits 0 when the broker and its database
            answer, and 1 when they do not within ten seconds. With --alive it asks /healthz, which needs no database:
            for a supervisor that restarts what is unhealthy, because a restart brings no database back.

            Examples:
              broker health
              broker health --alive --json
              broker health --config /etc/broker/broker.json --listen 127.0.0.1:8080
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    @Option(name: .long, help: "Where the broker listens, host:port; goes before the file and the environment.")
    var listen: String?

    @Flag(name: .long, help: "Ask over TLS; goes without saying when the file names a certificate.")
    var tls = false

    @Flag(name: .long, help: "Ask only whether the broker answers, not whether its database does.")
    var alive = false

    func run() async throws {
        try await output.reporting {
            let probe = HealthProbe(of: try address(), overTLS: speaksTLS, path: alive ? "/healthz" : "/readyz")
            let status = try await probe()
            output(["url": .string(probe.url), "status": .string(status)], text: "\(probe.url): \(status)")
        }
    }

    /// With `--listen` the file is looked at when there is one.
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
                "the listen address", "has port 0, so the broker took any free one.",
                fix: "Name the one it printed with --listen.")
        }
        return address
    }
}
