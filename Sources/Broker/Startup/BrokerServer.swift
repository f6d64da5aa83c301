import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The HTTP side of a core, as a service: listens, answers, drains on graceful shutdown.
package struct BrokerServer: Service, CustomStringConvertible {
    private let core: BrokerCore
    private let intervals: BackgroundIntervals
    private let onListening: @Sendable (_ url: String) async -> Void

    /// `onListening` is called once with the address it really listens at, such as `http://127.0.0.1:51234`.
    package init(
        _ core: BrokerCore, intervals: BackgroundIntervals = BackgroundIntervals(),
        onListening: @escaping @Sendable (_ url: String) async -> Void = { _ in }
    ) {
        self.core = core
        self.intervals = intervals
        self.onListening = onListening
    }

    /// The lifecycle's log names services by this: a reflected core would show its API keys there.
    package var description: String { "BrokerServer" }

    package func run() async throws {
        try await application().run()
    }

    private func application() -> some ApplicationProtocol {
        let routes = routes()
        let edge = Edge(
            next: routes.router.buildResponder(), table: routes.table, cors: CrossOrigin(core.configuration.apiKeys),
            hosts: AllowedHosts(core.configuration),
            clientAddress: ClientAddress(trustedProxies: core.configuration.trustedProxies))
        let listen = core.configuration.listen
        return Application(
            responder: edge,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [RequestDeadline(limit: .seconds(30))], idleTimeout: .seconds(15),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100))),
            configuration: .init(
                address: .hostname(listen.host, port: listen.port), serverName: nil,
                availableConnectionsDelegate: .maximum(ConnectionLimit.current, logger: Logger.current)),
            services: background,
            onServerRunning: { channel in
                await onListening("http://\(Self.urlHost(listen.host)):\(channel.localAddress?.port ?? listen.port)")
            },
            logger: Logger.current)
    }

    /// What it does besides answering.
    private var background: [any Service] {
        var services: [any Service] = [
            SigningKeyReload(keys: core.signingKeys, interval: intervals.signingKeys),
            ProviderReload(providers: core.providerConfiguration, interval: intervals.providers),
        ]
        if let interval = intervals.housekeeping {
            let housekeeping = Housekeeping(store: core.store, now: core.now)
            services.append(HousekeepingService(housekeeping: housekeeping, interval: interval))
        }
        return services
    }

    /// The table of contents of the wire.
    private func routes() -> Routes {
        let routes = Routes()
        let callers = CallerCheck(apiKeys: core.configuration.apiKeys)
        AccountRoutes(
            callers: callers, signUpAnonymously: core.signUpAnonymously, signIn: core.signIn, link: core.link,
            lookup: core.lookup
        ).add(to: routes)
        UpdateRoutes(callers: callers, update: core.updateAccount, delete: core.deleteAccount).add(to: routes)
        SignInMethodRoutes(callers: callers, signInMethods: core.signInMethods).add(to: routes)
        CustomTokenRoutes(callers: callers, signIn: core.signInWithCustomToken).add(to: routes)
        TokenRoutes(callers: callers, refresh: core.refresh, projectNumber: core.configuration.project.number)
            .add(to: routes)
        SessionRoutes(callers: callers, signOut: core.signOut).add(to: routes)
        ProjectRoutes(callers: callers, project: core.configuration.project).add(to: routes)
        KeyDocuments(keys: core.signingKeys, rules: core.tokenRules, configuration: core.configuration)
            .add(to: routes)
        HealthRoutes(store: core.store).add(to: routes)
        return routes
    }

    private static func urlHost(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
