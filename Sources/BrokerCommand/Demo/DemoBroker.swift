import Broker
import BrokerStore
import Foundation
import Logging
import NIOCore
import NIOPosix
import ProviderKit
import UnixSignals

/// A broker and the simulators of four providers, all on loopback.
final class DemoBroker: Sendable {
    let url: String
    let apiKey: String
    /// The id of a native client, for apps on this machine.
    let clientID: String
    let providers: DemoProviders
    private let core: BrokerCore
    private let service: ListeningService

    /// Starts broker and simulators with the files in `folder`, and returns once all answer. Port 0 selects a free
    /// port.
    ///
    /// - Throws: ``CommandFailure``, `ConfigurationError`.
    static func start(_ folder: DemoFolder, port: Int) async throws -> DemoBroker {
        try await withPort(port) { try await start(folder, url: "http://127.0.0.1:\($0)") }
    }

    private static func start(_ folder: DemoFolder, url: String) async throws -> DemoBroker {
        let providers = try await DemoProviders.start(in: folder, brokerURL: url)
        do {
            let configuration = try configuration(folder, url: url, providers)
            let core = try await BrokerCore.open(configuration, plugins: BrokerProgram.plugins, environment: [:])
            do {
                return try await DemoBroker(core, providers, clientID: try await nativeClient(in: core))
            } catch {
                await core.close()
                throw error
            }
        } catch {
            await providers.stop()
            throw error
        }
    }

    /// Calls `body` with `port`, or with a free loopback port when `port` is 0: the URL has to be known before the
    /// server starts. Another process can take that port meanwhile; `body` then runs again with another.
    ///
    /// - Parameters:
    ///   - port: The port that was asked for, or 0.
    ///   - body: Throws ``CommandFailure`` with code `LISTEN` when the port is in use.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    static func withPort<Value>(_ port: Int, _ body: (Int) async throws -> Value) async throws -> Value {
        guard port == 0 else { return try await body(port) }
        for _ in 1..<10 {
            do {
                return try await body(try await freePort())
            } catch let failure as CommandFailure where failure.code == "LISTEN" {
                Logger.current.info("port was taken", metadata: ["reason": "\(failure.message)"])
            }
        }
        return try await body(try await freePort())
    }

    private static func freePort() async throws -> Int {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close().get()
        return port
    }

    private init(_ core: BrokerCore, _ providers: DemoProviders, clientID: String) async throws {
        var intervals = BackgroundIntervals()
        // The round trip waits for a withdrawal.
        intervals.withdrawals = .milliseconds(100)
        let service = try await ListeningService.start(until: [.sigterm, .sigint]) { [intervals] onListening in
            BrokerServer(core, intervals: intervals, onListening: onListening)
        }
        guard let service else {
            throw CommandFailure(
                code: "LISTEN", "cannot listen on port \(core.configuration.listen.port): choose another --port")
        }
        url = service.url
        self.core = core
        self.providers = providers
        self.clientID = clientID
        self.service = service
        apiKey = core.configuration.apiKeys.first?.key ?? ""
    }

    /// Returns when SIGTERM or SIGINT ends the broker.
    func waitForShutdown() async {
        await service.ended()
    }

    func stop() async {
        await service.stop()
        await core.close()
        await providers.stop()
    }

    /// The URL of the account page.
    var accountPage: String { url + "/account" }

    /// The URLs of broker, account page and simulators, for `--json`.
    var document: JSONObject {
        JSONObject([
            ("broker", .string(url)), ("accountPage", .string(accountPage)), ("simulators", .object(providers.urls)),
            ("apiKey", .string(apiKey)), ("clientId", .string(clientID)),
        ])
    }

    /// The native client of the folder, which is registered at the first start.
    private static func nativeClient(in core: BrokerCore) async throws -> String {
        let name = "Broker demo"
        if let client = try await core.openID.clients.all().first(where: { $0.name == name }) { return client.id }
        let registration = try ClientRegistration(
            kind: .native, name: name, redirectURIs: ["http://127.0.0.1/callback", "com.example.demo:/callback"],
            receivesProviderTokens: true)
        return try await core.openID.clients.add(registration, origin: .commandLine()).client.id
    }

    /// Reads the folder's configuration, creating it if missing, and sets the addresses of this run.
    private static func configuration(
        _ folder: DemoFolder, url: String, _ providers: DemoProviders
    ) throws -> Configuration {
        let files = BrokerFolder(folder.path)
        if !FileManager.default.fileExists(atPath: files.configuration) {
            _ = try files.write(
                publicURL: url, project: "demo", origins: ["*"], allowsAnonymousSignIn: true,
                providers: .array(providers.all.map(\.entry)))
        }
        var configuration = try Configuration.load(path: files.configuration, environment: [:])
        configuration.publicURL = url
        // Everyone on this machine has one address.
        configuration.rateLimits = .off
        configuration.listen = .init(host: "127.0.0.1", port: URL(string: url)?.port ?? 0)
        return configuration
    }
}
