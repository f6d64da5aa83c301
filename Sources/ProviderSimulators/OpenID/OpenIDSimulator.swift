import Hummingbird

/// A stand-in for an OpenID Connect provider nobody wrote a plugin for, on 127.0.0.1; honest unless told otherwise.
///
/// Honest, it has discovery, keys, the authorization page with PKCE, all four ways for a client to prove itself,
/// rotating refresh tokens with reuse detection, userinfo, revocation and the device flow. Told otherwise, it is the
/// issuer an attacker would run: any discovery document, any key set, forged ID tokens, answers about somebody else,
/// another issuer's `iss`. With ``Options/Mode/oauth2`` it knows nothing of OpenID Connect and tells who somebody is in
/// any JSON a test makes up.
///
/// ```swift
/// let issuer = try await OpenIDSimulator.start()
/// issuer.forgery = .wrongAudience
/// let code = issuer.authorizationCode(for: issuer.people()[0], application: issuer.defaultApplication)
/// // … let the code under test redeem it at issuer.url, and see it refused …
/// await issuer.stop()
/// ```
public final class OpenIDSimulator: Sendable {
    /// The issuer, and the base of all endpoints, such as `http://127.0.0.1:40123`.
    public let url: String
    /// The registration that exists since the start.
    public let defaultApplication: Application

    let core: OpenIDCore
    private let server: SimulatorServer

    private init(core: OpenIDCore, server: SimulatorServer, defaultApplication: Application) {
        self.core = core
        self.server = server
        self.defaultApplication = defaultApplication
        url = core.snapshot.url
    }

    /// Starts a simulator and returns once it listens, within milliseconds.
    ///
    /// - Throws: An I/O error when the port is taken.
    public static func start(_ options: Options = .init()) async throws -> OpenIDSimulator {
        let application = options.application ?? Application()
        let core = OpenIDCore(options, application: application)
        let server = try await SimulatorServer.start(
            routes(core), port: options.port, clock: options.clock, logger: options.logger,
            onListening: { port in core.withState { $0.url = "http://127.0.0.1:\(port)" } })
        return OpenIDSimulator(core: core, server: server, defaultApplication: application)
    }

    /// Closes all connections and returns once the port is free.
    public func stop() async {
        await server.stop()
    }

    /// The time the simulator lives in.
    public var clock: SimulatorClock { core.clock }

    /// The table of contents.
    private static func routes(_ core: OpenIDCore) -> Router<SimulatorContext> {
        let router = Router(context: SimulatorContext.self)
        let routes = SimulatorRoutes(router: router, traffic: core.traffic, clock: core.clock)
        OpenIDAuthorizeRoutes(core: core).add(to: routes)
        OpenIDTokenRoutes(core: core).add(to: routes)
        OpenIDDeviceRoutes(core: core).add(to: routes)
        OpenIDUserinfoRoutes(core: core).add(to: routes)
        if core.options.mode == .openIDConnect { OpenIDMetadataRoutes(core: core).add(to: routes) }
        OpenIDStatusRoutes(core: core).add(to: routes)
        OpenIDControlRoutes(core: core).add(to: routes)
        return router
    }
}
