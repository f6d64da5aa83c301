import BrokerStore
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
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
        let router = Router()
        router.get("/metrics") { request, _ in
            // Collectors come by any name, and are no browsers.
            request.isFromBrowser ? Response(status: .forbidden) : await answer()
        }
        let http = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [ConnectionHandler(limit: .seconds(10))], idleTimeout: .seconds(60)))
        let application = Application(
            responder: router.buildResponder(), server: http,
            configuration: .init(
                address: .hostname(listen.host, port: listen.port), serverName: nil,
                availableConnectionsDelegate: .maximum(64, logger: Logger.current)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? listen.port
                let host = listen.host.contains(":") ? "[\(listen.host)]" : listen.host
                Logger.current.notice("metrics served", metadata: ["url": "http://\(host):\(port)/metrics"])
            }, logger: Logger.current)
        try await application.run()
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
            body: .init(byteBuffer: ByteBuffer(string: MetricsRegistry.process.text())))
    }
}
