import BrokerStore
import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// `/metrics` for Prometheus, at an address of its own: it is nothing for clients, and asks for no credential.
struct MetricsServer: Service, CustomStringConvertible {
    private let store: Store
    private let listen: Configuration.ListenAddress
    private let process = ProcessMetrics(version: BrokerVersion.current)
    private let backlog = BacklogMetrics()

    /// The lifecycle's log names services by this.
    let description = "MetricsServer"

    /// A scrape waits no longer for a store that does not answer.
    private static let patience = Duration.seconds(2)

    init(store: Store, listen: Configuration.ListenAddress) {
        self.store = store
        self.listen = listen
    }

    func run() async throws {
        let http = EventLoopChannel(
            deadline: .seconds(10), idleTimeout: .seconds(60), clientAddress: ClientAddress(trustedProxies: [])
        ) { request, _ in
            // The texts of all metrics are made for each answer: not on an event loop of the API.
            .awaited { await withTaskExecutorPreference(globalConcurrentExecutor) { await answer(to: request) } }
        }
        let server = http.server(
            configuration: .init(
                address: .hostname(listen.host, port: listen.port), serverName: nil,
                availableConnectionsDelegate: .maximum(64, logger: Logger.current)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? listen.port
                let host = listen.host.contains(":") ? "[\(listen.host)]" : listen.host
                Logger.current.notice("metrics served", metadata: ["url": "http://\(host):\(port)/metrics"])
            }, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: Logger.current)
        try await server.run()
    }

    private func answer(to request: Request) async -> Response {
        guard request.method == .get, request.head.path?.prefix(while: { $0 != "?" }) == "/metrics" else {
            return Response(status: .notFound)
        }
        // Collectors come by any name, and are no browsers.
        guard !request.isFromBrowser else { return Response(status: .forbidden) }
        var response = await answer()
        response.headers.append(HTTPField(name: .date, value: SecondText.httpDate(at: Date())))
        return response
    }

    private func answer() async -> Response {
        process.collect()
        do {
            try await Deadline.run(within: Self.patience) { [backlog, store] in await backlog.collect(from: store) }
        } catch {
            backlog.failed()
        }
        return Response(
            status: .ok, headers: [.contentType: MetricText.contentType, .cacheControl: "no-store"],
            body: ByteBuffer(string: MetricsRegistry.process.text()))
    }
}
