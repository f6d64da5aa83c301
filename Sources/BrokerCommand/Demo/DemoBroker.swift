import Broker
import Foundation
import Logging
import ProviderKit
import ProviderSimulators
import ServiceLifecycle
import UnixSignals

/// A broker of its own with a GitHub simulator beside it, both on loopback.
final class DemoBroker: Sendable {
    let url: String
    let apiKey: String
    let simulator: GitHubSimulator
    private let core: BrokerCore
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    /// Starts both, with the broker's files in `folder`, and returns once they answer; port 0 takes a free one.
    ///
    /// - Throws: ``CommandFailure``, `ConfigurationError`.
    static func start(_ folder: DemoFolder, port: Int) async throws -> DemoBroker {
        let url = "http://127.0.0.1:\(port == 0 ? try await FreePort.find() : port)"
        let simulator = try await DemoSimulator.start(in: folder, callbackURL: url + "/oauth/callback/github.com")
        do {
            let configuration = try configuration(folder, url: url, simulator)
            let core = try await BrokerCore.open(configuration, plugins: BrokerProgram.plugins, environment: [:])
            do {
                return try await DemoBroker(core, simulator)
            } catch {
                await core.close()
                throw error
            }
        } catch {
            await simulator.stop()
            throw error
        }
    }

    private init(_ core: BrokerCore, _ simulator: GitHubSimulator) async throws {
        let (urls, listening) = AsyncStream.makeStream(of: String.self)
        let server = BrokerServer(core) { listening.yield($0) }
        let group = ServiceGroup(
            services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger.current)
        let running = Task {
            defer { listening.finish() }
            try await group.run()
        }
        guard let url = await urls.first(where: { _ in true }) else {
            throw CommandFailure(
                code: "LISTEN", "cannot listen at port \(core.configuration.listen.port): name a free one with --port")
        }
        self.url = url
        self.core = core
        self.simulator = simulator
        self.group = group
        self.running = running
        apiKey = core.configuration.apiKeys.first?.key ?? ""
    }

    /// Returns when SIGTERM or SIGINT ends the broker.
    func waitForShutdown() async {
        _ = await running.result
    }

    func stop() async {
        await group.triggerGracefulShutdown()
        _ = await running.result
        await core.close()
        await simulator.stop()
    }

    /// What `--json` prints, without steps.
    var document: JSONObject {
        JSONObject([
            ("broker", .string(url)), ("simulators", ["github.com": .string(simulator.url)]),
            ("apiKey", .string(apiKey)),
        ])
    }

    /// Reads the folder's configuration, writing it first when there is none, and points it at this run's addresses.
    private static func configuration(
        _ folder: DemoFolder, url: String, _ simulator: GitHubSimulator
    ) throws -> Configuration {
        let files = BrokerFolder(folder.path)
        if !FileManager.default.fileExists(atPath: files.configuration) {
            _ = try files.write(
                publicURL: url, project: "demo", origins: ["*"], allowsAnonymousSignIn: true,
                providers: [DemoSimulator.entry(simulator)])
        }
        var configuration = try Configuration.load(path: files.configuration, environment: [:])
        configuration.publicURL = url
        configuration.listen = .init(host: "127.0.0.1", port: URL(string: url)?.port ?? 0)
        return configuration
    }
}
