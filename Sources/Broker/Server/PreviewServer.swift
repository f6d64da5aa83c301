import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Serves every hosted page in every state on this machine, for designers and tests. It stores nothing and asks no store.
package struct PreviewServer: Service, CustomStringConvertible {
    /// The lifecycle's log names services by this.
    package let description = "PreviewServer"
    private let port: Int
    private let preview: PagePreview
    private let onListening: @Sendable (_ url: String) async -> Void

    /// The names of the pages, which are their paths too.
    package var names: [String] { preview.names }

    /// The tags of the languages that every page is in; `ui_locales` chooses one.
    package var languages: [String] { preview.languages.all.map(\.tag) }

    /// - Parameters:
    ///   - port: The port; 0 selects a free one.
    ///   - configuration: The broker whose brand and texts the pages show; nil for a made-up one.
    ///   - siteName: Stands on top of each page in place of the brand's name.
    ///   - onListening: Called once with the address it really listens at.
    /// - Throws: An error of a template, or ``ConfigurationError`` of a text.
    package init(
        port: Int, configuration: Configuration?, siteName: String?,
        onListening: @escaping @Sendable (_ url: String) async -> Void
    ) throws {
        self.port = port
        self.onListening = onListening
        let branding = configuration?.branding ?? Branding()
        var brand =
            configuration.map { PageBrand($0) }
            ?? PageBrand(
                name: "Fernwick", homeHref: "/", termsHref: "/#terms", privacyHref: "/#privacy",
                supportHref: "/#support")
        if let siteName { brand.name = siteName }
        preview = try PagePreview(
            brand: brand,
            pictures: [branding.logo, branding.logoDark, branding.favicon].compactMap(\.self),
            texts: configuration?.pageTexts)
    }

    package func run() async throws {
        let http = EventLoopChannel(
            deadline: .seconds(10), idleTimeout: .seconds(60), clientAddress: ClientAddress(trustedProxies: [])
        ) { [preview] request, _ in
            preview.response(to: request)
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
