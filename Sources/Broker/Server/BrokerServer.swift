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
            hashKey: { [masterKey = core.masterKey] in masterKey.signingSecret(for: .requesters).key }, now: core.now)
    }

    /// The lifecycle's log names services by this: a reflected core would show its API keys there.
    package var description: String { "BrokerServer" }

    package func run() async throws {
        core.providerConfiguration.warn()
        for path in core.configuration.readableFiles { Logger.current.warnOfReadableFile(path) }
        await core.warnOfUnattainableStepUp()
        let readiness = Readiness(store: core.store, interval: intervals.readiness)
        await readiness.probe()
        let services = background + [BackgroundServices.probe(readiness)] + metrics + [try listener(readiness)]
        try await ServiceGroup(services: services, logger: Logger.current).run()
    }

    /// The server of requests, over HTTP/1.1 with its limits, inside TLS when there is a certificate.
    private func listener(_ readiness: Readiness) throws -> any Service {
        let clientAddress = ClientAddress(trustedProxies: core.configuration.trustedProxies)
        let edge = try edge(clientAddress, readiness)
        let shares = ConnectionShares(limit: connectionLimit, clientAddress: clientAddress, logger: Logger.current)
        let http = EventLoopChannel(
            configuration: .init(
                additionalChannelHandlers: [ConnectionHandler(limit: .seconds(30), shares: shares)],
                idleTimeout: .seconds(15),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100)),
            clientAddress: clientAddress
        ) { request, writer, connection in
            try await edge.respond(to: request, writer, on: connection)
        }
        guard let certificate else { return server(of: http) }
        return server(of: try TLSChannel(http, tlsConfiguration: certificate.configuration))
    }

    private func server(of channel: some ServerChildChannel) -> any Service {
        let listen = core.configuration.listen
        let scheme = certificate == nil ? "http" : "https"
        return channel.server(
            configuration: .init(
                address: .hostname(listen.host, port: listen.port), serverName: nil,
                availableConnectionsDelegate: .maximum(connectionLimit.total, logger: Logger.current)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? listen.port
                let url = "\(scheme)://\(Self.urlHost(listen.host)):\(port)"
                logStart(at: url)
                await onListening(url)
            }, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: Logger.current)
    }

    private func edge(_ clientAddress: ClientAddress, _ readiness: Readiness) throws -> Edge {
        let pages = try hostedPages()
        let routes = routes(pages, readiness)
        return Edge(
            table: routes.table,
            cors: CrossOrigin(core.configuration.apiKeys, servesClient: core.openID.clients.origins.contain),
            hosts: AllowedHosts(core.configuration), clientAddress: clientAddress, limiter: limiter,
            notFoundPage: HostedRoutes.notFound(pages))
    }

    /// The listener of `/metrics`, if there is one.
    private var metrics: [any Service] {
        core.configuration.metricsListen.map { [MetricsServer(store: core.store, listen: $0)] } ?? []
    }

    /// The background services.
    private var background: [any Service] {
        var services: [any Service] = [
            BackgroundServices.reload(core.signingKeys, every: intervals.signingKeys),
            BackgroundServices.reload(core.openID.signingKeys, every: intervals.signingKeys),
            BackgroundServices.reload(
                core.providerConfiguration, recording: ReloadRecord(core), every: intervals.providers),
            BackgroundServices.follow(core, every: intervals.providers),
            BackgroundServices.watch(core.subjectMigrations, every: intervals.migrations),
        ]
        if let interval = intervals.masterKey {
            services.append(BackgroundServices.follow(core.masterKeyWatch, every: interval))
        }
        if let interval = intervals.providerEvents {
            let feeds = ProviderEventPoll(
                store: core.store, providers: core.providerConfiguration, receive: core.providerEvents, now: core.now)
            services.append(BackgroundServices.poll(feeds, every: interval))
        }
        if let certificate {
            services.append(
                BackgroundServices.reload(
                    certificate, recording: ReloadRecord(core), every: intervals.certificate))
        }
        if let interval = intervals.withdrawals {
            let worker = WithdrawalWorker(
                core.withdrawals, lifetime: core.configuration.withdrawalLifetime, interval: interval)
            services.append(BackgroundServices.work(worker, every: interval))
        }
        if let interval = intervals.auditSealing {
            let sealing = AuditSealing(store: core.store, masterKey: core.masterKey, now: core.now)
            services.append(BackgroundServices.seal(sealing, every: interval))
        }
        if let interval = intervals.erasures, let path = core.configuration.database.erasureList {
            let list = ErasureList(
                store: core.store, path: path, retention: core.configuration.retention.audit, now: core.now)
            services.append(BackgroundServices.list(list, every: interval))
        }
        if let interval = intervals.events {
            let worker = EventWorker(
                core.events, lifetime: core.configuration.events.retries, interval: interval)
            services.append(BackgroundServices.work(worker, every: interval))
        }
        if let interval = intervals.grantProbes, let probes = core.grantProbes {
            services.append(BackgroundServices.probe(probes, every: interval))
        }
        if let interval = intervals.rateLimits {
            let exchange = RateLimitExchange(limiter, store: core.store, now: core.now)
            services.append(BackgroundServices.exchange(exchange, every: interval))
        }
        if let interval = intervals.housekeeping {
            let housekeeping = Housekeeping(
                store: core.store, rules: core.sessionRules, records: core.configuration.retention,
                events: core.configuration.events,
                deletedAccounts: RemoveDeletedAccounts(withdrawals: core.withdrawals), masterKey: core.masterKey,
                now: core.now)
            services.append(BackgroundServices.keep(housekeeping, every: interval))
        }
        return services
    }

    func hostedPages() throws -> HostedPages {
        try HostedPages(
            sessions: core.webSessions, forms: core.hostedForms, providers: core.providerConfiguration,
            publicURL: core.configuration.publicURL, siteName: core.configuration.project.id, now: core.now)
    }

    /// The description of what is served.
    func openAPIDocument() throws -> OpenAPIDocument {
        let readiness = Readiness(store: core.store, interval: intervals.readiness)
        return OpenAPIDocument(
            routes(try hostedPages(), readiness).table, projectID: core.configuration.project.id,
            publicURL: core.configuration.publicURL)
    }

    /// The table of contents of the wire.
    private func routes(_ pages: HostedPages, _ readiness: Readiness) -> Routes {
        let routes = Routes(.identityToolkit)
        let callers = core.callers
        core.addUserRoutes(to: routes)
        AccountRoutes(
            callers: callers, verify: core.verify, signIn: core.signIn, link: core.link, answer: core.signInAnswer,
            finish: core.finishAppSignIn, exchange: core.exchangeCredential
        ).add(to: routes)
        RevokeTokenRoutes(callers: callers, revoke: core.revokeProviderToken).add(to: routes)
        AuthorizationURLRoutes(
            callers: callers, signInMethods: core.signInMethods, start: core.startAppSignIn,
            domains: core.authorizedDomains
        ).add(to: routes)
        CustomTokenRoutes(callers: callers, signIn: core.signInWithCustomToken).add(to: routes)
        TokenRoutes(
            callers: callers, refresh: core.refresh, refreshIdentity: core.refreshIdentity,
            projectNumber: core.configuration.project.number
        ).add(to: routes)
        DeviceBootstrapRoutes(callers: callers, signIn: core.signInDevice, answer: core.signInAnswer).add(to: routes)
        SessionRoutes(callers: callers, signOut: core.signOut).add(to: routes)
        ProviderTokenRoutes(callers: callers, read: core.readProviderToken).add(to: routes)
        AdminRoutes(callers: callers, flows: core.administration).add(to: routes)
        ProjectRoutes(
            callers: callers, projectID: core.configuration.project.id, number: core.configuration.project.number,
            settings: core.settings
        ).add(to: routes)
        UnofferedRoutes(callers: callers).add(to: routes)
        ProjectConfigRoutes(
            callers: callers, projectID: core.configuration.project.id, settings: core.settings,
            manage: core.manageSettings
        ).add(to: routes)
        for kind in ProviderConfigKind.allCases {
            ProviderConfigRoutes(
                kind: kind, callers: callers, projectID: core.configuration.project.id,
                plugins: core.providerConfiguration.plugins, manage: core.manageProviders
            ).add(to: routes)
        }
        KeyDocuments(keys: core.signingKeys, rules: core.tokenRules, configuration: core.configuration)
            .add(to: routes)
        HealthRoutes(readiness: readiness).add(to: routes)
        NotificationRoutes(providers: core.providerConfiguration, receive: core.providerEvents).add(to: routes)
        addHostedPages(pages, to: routes)
        core.addAccountRoutes(to: routes)
        DeviceAuthorizationRoutes(
            requests: OAuthRequests(authenticate: core.openID.authenticate), devices: core.devices,
            publicURL: core.configuration.publicURL
        ).add(to: routes)
        ServiceAccountTokenRoutes(
            assertions: ServiceAccountAssertions(
                accounts: core.serviceAccounts,
                tokenURI: core.configuration.publicURL + ServiceAccountKeyFile.tokenPath, now: core.now)
        ).add(to: routes)
        core.addIntrospection(to: routes)
        OAuthRoutes(
            openID: core.openID, link: core.linkForClient, push: core.pushAuthorizationRequest,
            stepUp: core.configuration.policy.stepUp, readProviderToken: core.readProviderToken, now: core.now,
            furtherGrants: [
                DeviceCodeGrant(redeem: core.redeemDeviceCode, tokens: core.openID.tokens, now: core.now),
                core.tokenExchange,
            ]
        ).add(to: routes)
        OpenAPIDocument.add(
            to: routes, projectID: core.configuration.project.id, publicURL: core.configuration.publicURL)
        return routes
    }

    /// The hosted pages.
    private func addHostedPages(_ pages: HostedPages, to routes: Routes) {
        let hosted = HostedRoutes(routes: routes, pages: pages)
        let account = AccountAtPages(
            pages: pages, policy: core.configuration.policy, siteName: core.configuration.project.id, store: core.store,
            clients: core.openID.clients, listSessions: core.listSessions, link: core.link,
            updateAccount: core.updateAccount, signOut: core.signOut, deleteAccount: core.deleteAccount)
        let shown = InteractionPages(pages: pages, clients: core.openID.clients, account: account)
        let recentLogin = RecentLogin(policy: core.configuration.policy)
        let dispatcher = InteractionDispatcher(
            pages: pages, shown: shown, requests: core.authorizationRequests, start: core.startBrowserSignIn,
            issueCode: core.issueAuthorizationCode, linkForClient: core.linkForClient, terminal: core.terminalSignIn,
            link: core.link, recentLogin: recentLogin, recordRefusal: core.recordRefusal)
        AuthorizeRoutes(pages: pages, requests: core.authorizationRequests, dispatcher: dispatcher).add(to: hosted)
        SignInPageRoutes(pages: pages, dispatcher: dispatcher).add(to: hosted)
        CallbackRoutes(
            pages: pages, scripts: scriptPages, attempts: core.signInAttempts, finish: core.finishBrowserSignIn,
            dispatcher: dispatcher
        ).add(to: hosted)
        DeviceRoutes(
            pages: pages, shown: shown, clients: core.openID.clients, devices: core.devices,
            terminal: core.terminalSignIn, dispatcher: dispatcher
        ).add(to: hosted)
        AccountPageRoutes(pages: pages, account: account, recentLogin: recentLogin, dispatcher: dispatcher)
            .add(to: hosted)
        InteractionRoutes(pages: pages, shown: shown).add(to: hosted)
        LogoutRoutes(pages: pages, end: core.endSession).add(to: hosted)
        DiagnoseRoutes(pages: pages).add(to: hosted)
        addHandlerPages(to: routes, showing: pages)
    }

    /// The pages that SDKs open for their popups and redirects.
    private func addHandlerPages(to routes: Routes, showing errors: HostedPages) {
        let configuration = core.configuration
        HandlerRoutes(
            callers: core.callers, domains: core.authorizedDomains, start: core.startAppSignIn, pages: scriptPages,
            errors: errors, publicURL: configuration.publicURL
        ).add(to: routes)
    }

    private var scriptPages: ScriptPages {
        ScriptPages(
            domains: core.authorizedDomains,
            isSecure: core.configuration.publicURL.hasPrefix("https:"))
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
