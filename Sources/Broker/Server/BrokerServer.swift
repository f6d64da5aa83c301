import BrokerStore
import Foundation
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The HTTP side of a core, as a service: listens, answers, drains on graceful shutdown.
package struct BrokerServer: Service, CustomStringConvertible {
    private let core: BrokerCore
    private let certificate: ServerCertificate?
    private let intervals: BackgroundIntervals
    private let connectionLimit: ConnectionLimit
    private let onListening: @Sendable (_ url: String) async -> Void
    /// The counts of this server's callers.
    package let limiter: RateLimiter

    /// - Parameters:
    ///   - core: What answers.
    ///   - certificate: The certificate for TLS; nil serves plain HTTP.
    ///   - intervals: The intervals of background work.
    ///   - connectionLimit: The maximum number of connections.
    ///   - onListening: Called once with the address it really listens at, such as `http://127.0.0.1:51234`.
    package init(
        _ core: BrokerCore, certificate: ServerCertificate? = nil,
        intervals: BackgroundIntervals = BackgroundIntervals(), connectionLimit: ConnectionLimit = .current,
        onListening: @escaping @Sendable (_ url: String) async -> Void = { _ in }
    ) {
        self.core = core
        self.certificate = certificate
        self.intervals = intervals
        self.connectionLimit = connectionLimit
        self.onListening = onListening
        limiter = RateLimiter(
            core.configuration,
            code: { [masterKey = core.masterKey] in masterKey.signingSecret(for: .requesters).code(of: $0) },
            now: core.clock)
    }

    /// The lifecycle's log names services by this: a reflected core would show its API keys there.
    package var description: String { "BrokerServer" }

    package func run() async throws {
        core.providers.configured.warn()
        for path in core.configuration.readableFiles { Logger.current.warnOfReadableFile(path) }
        await core.warnOfUnattainableStepUp()
        let readiness = Readiness(store: core.store, interval: intervals.readiness)
        await readiness.probe()
        let pages = try hostedPages()
        let services =
            background(pages) + [BackgroundServices.probe(readiness)] + metrics + (try console(pages))
            + [try listener(pages, readiness)]
        try await ServiceGroup(services: services, logger: Logger.current).run()
    }

    /// The server of requests, over HTTP/1.1 with its limits, inside TLS when there is a certificate.
    private func listener(_ pages: HostedPages, _ readiness: Readiness) throws -> any Service {
        let routes = routes(pages, readiness)
        if core.configuration.console.listen == nil { addConsole(pages, to: routes) }
        let listen = core.configuration.listen
        return try listener(at: listen, routes, AllowedHosts(core.configuration), pages, limit: connectionLimit) {
            url in
            logStart(at: url)
            await onListening(url)
        }
    }

    /// The listener of the console, if it has one of its own.
    private func console(_ pages: HostedPages) throws -> [any Service] {
        guard let listen = core.configuration.console.listen else { return [] }
        let routes = Routes(.identityToolkit)
        addConsole(pages, to: routes)
        // Its pages have the site's icon and logo.
        StartRoutes(pages: pages).addIcon(to: routes)
        BrandRoutes(core.configuration.branding, core.openID.clients).add(to: routes)
        let hosts = AllowedHosts(publicURL: core.configuration.consoleURL, listeningAt: listen)
        return [
            try listener(at: listen, routes, hosts, pages, limit: .console) { url in
                Logger.current.notice("console served", metadata: ["url": "\(url)"])
            }
        ]
    }

    private func listener(
        at listen: Configuration.ListenAddress, _ routes: Routes, _ hosts: AllowedHosts, _ pages: HostedPages,
        limit: ConnectionLimit, onListening: @escaping @Sendable (_ url: String) async -> Void
    ) throws -> any Service {
        let clientAddress = ClientAddress(trustedProxies: core.configuration.trustedProxies)
        let edge = Edge(
            table: routes.table,
            cors: CrossOrigin(core.configuration.apiKeys, servesClient: core.openID.clients.origins.contain),
            hosts: hosts, clientAddress: clientAddress, limiter: limiter, logger: Logger.current,
            now: { [keys = core.store.keys, clock = core.clock] in keys.present(at: clock()) },
            notFoundPage: HostedRoutes.notFound(pages), outcomes: core.admin.outcomes)
        let shares = ConnectionShares(limit: limit, clientAddress: clientAddress, logger: Logger.current)
        let http = EventLoopChannel(
            deadline: .seconds(30), idleTimeout: .seconds(15), clientAddress: clientAddress, shares: shares,
            respond: edge.respond)
        guard let certificate else { return server(of: http, at: listen, limit, onListening) }
        return server(
            of: try TLSChannel(http, tlsConfiguration: certificate.configuration), at: listen, limit, onListening)
    }

    private func server(
        of channel: some ServerChildChannel, at listen: Configuration.ListenAddress, _ limit: ConnectionLimit,
        _ onListening: @escaping @Sendable (_ url: String) async -> Void
    ) -> any Service {
        let scheme = certificate == nil ? "http" : "https"
        return channel.server(
            configuration: .init(
                address: .hostname(listen.host, port: listen.port), serverName: nil,
                availableConnectionsDelegate: .maximum(limit.total, logger: Logger.current)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? listen.port
                await onListening("\(scheme)://\(Self.urlHost(listen.host)):\(port)")
            }, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: Logger.current)
    }

    /// The listener of `/metrics`, if there is one.
    private var metrics: [any Service] {
        core.configuration.metricsListen.map { [MetricsServer(store: core.store, listen: $0)] } ?? []
    }

    /// The background services.
    private func background(_ pages: HostedPages) -> [any Service] {
        var services: [any Service] = [
            BackgroundServices.reload(core.sessions.signingKeys, every: intervals.signingKeys),
            BackgroundServices.reload(core.sessions.openIDSigningKeys, every: intervals.signingKeys),
            BackgroundServices.reload(core.providers, every: intervals.providers),
            BackgroundServices.follow(core, every: intervals.providers),
            BackgroundServices.reload(pages.languages, recordingIn: core.stored, every: intervals.providers),
            BackgroundServices.watch(core.admin.subjectMigrations, every: intervals.migrations),
        ]
        if let interval = intervals.masterKey {
            services.append(BackgroundServices.follow(MasterKeyWatch(core.stored), every: interval))
        }
        if let interval = intervals.providerEvents {
            services.append(BackgroundServices.poll(ProviderEventPoll(core.accounts), every: interval))
        }
        if let certificate {
            services.append(
                BackgroundServices.reload(
                    certificate, recordingIn: core.stored, every: intervals.certificate))
        }
        if let interval = intervals.withdrawals {
            let worker = WithdrawalWorker(
                core.outbox.withdrawals, lifetime: core.configuration.withdrawalLifetime, interval: interval)
            services.append(BackgroundServices.work(worker, every: interval))
        }
        if let interval = intervals.auditSealing {
            services.append(BackgroundServices.seal(AuditSealing(core.stored), every: interval))
        }
        if let interval = intervals.erasures, let path = core.configuration.database.erasureList {
            let list = ErasureList(core.stored, path: path, retention: core.configuration.retention.audit)
            services.append(BackgroundServices.list(list, every: interval))
        }
        if let interval = intervals.userWords {
            services.append(BackgroundServices.repair(UserWordRepair(core.stored), every: interval))
        }
        if let interval = intervals.events {
            let worker = EventWorker(
                core.outbox.events, lifetime: core.configuration.events.retries, interval: interval)
            services.append(BackgroundServices.work(worker, every: interval))
        }
        if let interval = intervals.grantProbes, let probes = core.outbox.grantProbes {
            services.append(BackgroundServices.probe(probes, every: interval))
        }
        if let interval = intervals.rateLimits {
            let exchange = RateLimitExchange(limiter, store: core.store, now: core.clock)
            services.append(BackgroundServices.exchange(exchange, every: interval))
            services.append(BackgroundServices.write(core.admin.outcomes, every: interval))
        }
        if let interval = intervals.housekeeping {
            let housekeeping = Housekeeping(
                core.accounts, records: core.configuration.retention, events: core.configuration.events)
            services.append(BackgroundServices.keep(housekeeping, every: interval))
        }
        return services
    }

    func hostedPages() throws -> HostedPages { try HostedPages(core.openID, core.configuration) }

    /// The description of what is served.
    func openAPIDocument() throws -> OpenAPIDocument {
        OpenAPIDocument(
            try table(), projectID: core.configuration.project.id, publicURL: core.configuration.publicURL)
    }

    /// The paths that the server has.
    func table() throws -> RouteTable {
        routes(try hostedPages(), Readiness(store: core.store, interval: intervals.readiness)).table
    }

    /// The table of contents of the wire.
    private func routes(_ pages: HostedPages, _ readiness: Readiness) -> Routes {
        let routes = Routes(.identityToolkit)
        addIdentityToolkit(to: routes)
        AdminRoutes(toolkit: core.toolkit, admin: core.admin).add(to: routes)
        HealthRoutes(readiness: readiness).add(to: routes)
        NotificationRoutes(accounts: core.accounts).add(to: routes)
        addHostedPages(pages, to: routes)
        addOpenID(to: routes)
        OpenAPIDocument.add(
            to: HostedRoutes(routes: routes, pages: pages), projectID: core.configuration.project.id,
            publicURL: core.configuration.publicURL)
        return routes
    }

    private func addIdentityToolkit(to routes: Routes) {
        let toolkit = core.toolkit
        UserRoutes(toolkit: toolkit).add(to: routes)
        UpdateRoutes(toolkit: toolkit).add(to: routes)
        BatchRoutes(toolkit: toolkit).add(to: routes)
        SessionCookieRoutes(toolkit: toolkit).add(to: routes)
        AccountRoutes(toolkit: toolkit).add(to: routes)
        RevokeTokenRoutes(toolkit: toolkit).add(to: routes)
        AuthorizationURLRoutes(toolkit: toolkit).add(to: routes)
        CustomTokenRoutes(toolkit: toolkit).add(to: routes)
        TokenRoutes(toolkit: toolkit).add(to: routes)
        DeviceBootstrapRoutes(toolkit: toolkit).add(to: routes)
        SessionRoutes(toolkit: toolkit).add(to: routes)
        ProviderTokenRoutes(toolkit: toolkit).add(to: routes)
        ProjectRoutes(toolkit: toolkit).add(to: routes)
        UnofferedRoutes(toolkit: toolkit).add(to: routes)
        ProjectConfigRoutes(toolkit: toolkit).add(to: routes)
        for kind in ProviderConfigKind.allCases {
            ProviderConfigRoutes(kind: kind, toolkit: toolkit).add(to: routes)
        }
        KeyDocuments(toolkit).add(to: routes)
    }

    /// The endpoints of OAuth clients.
    private func addOpenID(to routes: Routes) {
        let openID = core.openID
        OwnAccountRoutes(openID: openID).add(to: routes)
        OwnProviderRoutes(openID: openID).add(to: routes)
        OwnSessionRoutes(openID: openID).add(to: routes)
        OwnHistoryRoutes(openID: openID).add(to: routes)
        OwnMergeRoutes(openID: openID).add(to: routes)
        WithdrawalRoutes(openID: openID).add(to: routes)
        DeviceAuthorizationRoutes(openID: openID).add(to: routes)
        ServiceAccountTokenRoutes(openID: openID).add(to: routes)
        IntrospectionRoutes(toolkit: core.toolkit, openID: openID).add(to: routes)
        OAuthRoutes(openID: openID).add(to: routes)
    }

    /// The hosted pages.
    private func addHostedPages(_ pages: HostedPages, to routes: Routes) {
        let hosted = HostedRoutes(routes: routes, pages: pages)
        let scriptPages = ScriptPages(
            domains: core.toolkit.domains, isSecure: core.configuration.publicURL.hasPrefix("https:"),
            languages: pages.languages)
        StartRoutes(pages: pages).add(to: routes)
        AuthorizeRoutes(pages: pages).add(to: hosted)
        SignInPageRoutes(pages: pages).add(to: hosted)
        CallbackRoutes(pages: pages, scripts: scriptPages).add(to: hosted)
        DeviceRoutes(pages: pages).add(to: hosted)
        AccountPageRoutes(pages: pages).add(to: hosted)
        ProfilePageRoutes(pages: pages).add(to: hosted)
        AccountHistoryRoutes(pages: pages).add(to: hosted)
        MergePageRoutes(pages: pages).add(to: hosted)
        InteractionRoutes(pages: pages).add(to: hosted)
        LogoutRoutes(pages: pages).add(to: hosted)
        DiagnoseRoutes(pages: pages).add(to: hosted)
        BrandRoutes(core.configuration.branding, core.openID.clients).add(to: routes)
        HandlerRoutes(toolkit: core.toolkit, pages: scriptPages, errors: pages).add(to: routes)
    }

    /// The console of administrators. It is no API, so the OpenAPI document does not have it.
    func addConsole(_ pages: HostedPages, to routes: Routes) {
        let access = ConsoleAccess(core.admin, pages)
        let console = ConsoleRoutes(routes: routes, access: access)
        ConsoleSignInRoutes(access: access).add(to: console)
        PeopleRoutes().add(to: console)
        OperationRoutes().add(to: console)
        SettingsRoutes().add(to: console)
    }

    private func logStart(at url: String) {
        Logger.current.notice(
            "broker started", metadata: ["version": "\(BrokerVersion.current)", "url": "\(url)"])
        let configuration = core.configuration
        if configuration.hidesClients {
            Logger.current.warning(
                "no trusted proxy is configured: clients share the proxy's address and have no rate limit by address")
        }
        let ignored = Set(configuration.project.authorizedDomains).subtracting(
            configuration.admissible(configuration.project.authorizedDomains))
        guard !ignored.isEmpty else { return }
        Logger.current.warning(
            "authorized domains of this machine are ignored: the public URL is not on it",
            metadata: ["domains": "\(ignored.sorted().joined(separator: ", "))"])
    }

    private static func urlHost(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
