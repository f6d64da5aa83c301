import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Serves every hosted page in every state on this machine, for designers and tests. It stores nothing and asks no store.
package struct PreviewServer: Service, CustomStringConvertible {
    /// The lifecycle's log names services by this.
    package let description = "PreviewServer"
    private let preview: PagePreview
    private let port: Int
    private let onListening: @Sendable (_ url: String) async -> Void

    /// - Parameters:
    ///   - preview: The pages.
    ///   - port: The port; 0 selects a free one.
    ///   - onListening: Called once with the address it really listens at.
    package init(
        _ preview: PagePreview, port: Int, onListening: @escaping @Sendable (_ url: String) async -> Void
    ) {
        self.preview = preview
        self.port = port
        self.onListening = onListening
    }

    package func run() async throws {
        let http = EventLoopChannel(
            deadline: .seconds(10), idleTimeout: .seconds(60), clientAddress: ClientAddress(trustedProxies: [])
        ) { [preview] request, _ in
            .immediate(preview.response(to: request))
        }
        let server = http.server(
            configuration: .init(
                address: .hostname("127.0.0.1", port: port), serverName: nil,
                availableConnectionsDelegate: .maximum(64, logger: Logger.current)),
            onServerRunning: { [port, onListening] channel in
                await onListening("http://127.0.0.1:\(channel.localAddress?.port ?? port)")
            }, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: Logger.current)
        try await server.run()
    }
}
