import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// A drop-in for the federated part of the Firebase Auth emulator, on loopback.
struct Emulator {
    let projectID: String
    let folder: String
    let origins: EmulatorOrigins
    let maximumProjects: Int

    /// Serves until SIGTERM or SIGINT.
    ///
    /// - Parameters:
    ///   - port: A free port; it stands in links of pages.
    ///   - onListening: Called once with the URL.
    /// - Throws: ``CommandFailure`` when the port is in use.
    func serve(port: Int, onListening: @escaping @Sendable (_ url: String) -> Void) async throws {
        OpenFiles.raiseLimit()
        let url = "http://127.0.0.1:\(port)"
        let projects = EmulatedProjects(
            default: projectID, in: folder, publicURL: url, hosts: origins.hosts, maximumCount: maximumProjects)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: Self.client)
        do {
            // A project id that is none is told now.
            await projects.end(try await projects.begin(projectID))
            let application = Application(
                responder: EmulatorGateway(projects: projects, origins: origins, client: client),
                configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: nil),
                onServerRunning: { _ in
                    Logger.current.warning(
                        "emulator started: unsigned tokens are accepted, for tests on this machine only",
                        metadata: ["url": "\(url)"])
                    onListening(url)
                },
                logger: Logger.current)
            let group = ServiceGroup(
                services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger.current)
            do {
                try await group.run()
            } catch let error as IOError {
                Logger.current.error("emulator cannot listen", metadata: ["reason": "\(error)"])
                throw CommandFailure(code: "LISTEN", "cannot listen on port \(port): choose another --port")
            }
            await stop(projects, client)
        } catch {
            await stop(projects, client)
            throw error
        }
    }

    private func stop(_ projects: EmulatedProjects, _ client: HTTPClient) async {
        await projects.stop()
        try? await client.shutdown()
    }

    private static var client: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        // Answers are passed on as they are.
        configuration.redirectConfiguration = .disallow
        return configuration
    }
}
