import Hummingbird
public import ProviderKit
public import ProviderKitTesting

/// A stand-in for 1Pass ("logi"), faithful on the wire, on 127.0.0.1.
///
/// It speaks what 1Pass speaks to its applications: discovery and keys, the authorization page with compulsory PKCE, the
/// token endpoint with rotating refresh tokens and access tokens that are signed, userinfo with the claims about merged
/// and anonymous accounts, the device flow, device keys, and events by webhook and by polling. Time, faults, people and
/// merges are under the test's control.
///
/// ```swift
/// let onePass = try await OnePassSimulator.start()
/// let code = onePass.authorizationCode(
///     for: onePass.people()[0], application: onePass.defaultApplication, codeChallenge: challenge)
/// // … let the code under test redeem it at onePass.url …
/// await onePass.stop()
/// ```
///
/// Unlike 1Pass it has no passwords: whoever opens the page chooses whom to be. Everybody is fictitious.
public final class OnePassSimulator: Sendable {
    /// The base of everything, such as `http://127.0.0.1:40123`; also the issuer unless the options name another one.
    public let url: String
    /// The registration that exists since the start.
    public let defaultApplication: Application

    let core: OnePassCore
    private let server: SimulatorServer

    private init(core: OnePassCore, server: SimulatorServer, defaultApplication: Application) {
        self.core = core
        self.server = server
        self.defaultApplication = defaultApplication
        url = core.snapshot.url
    }

    /// Starts a simulator and returns once it listens, within milliseconds.
    ///
    /// - Throws: An I/O error when the port is taken.
    public static func start(_ options: Options = .init()) async throws -> OnePassSimulator {
        let application = options.application ?? Application()
        let core = OnePassCore(options, application: application)
        let server = try await SimulatorServer.start(
            routes(core), port: options.port, clock: options.clock, logger: options.logger,
            onListening: { port in core.withState { $0.url = "http://127.0.0.1:\(port)" } })
        return OnePassSimulator(core: core, server: server, defaultApplication: application)
    }

    /// Closes all connections and returns once the port is free.
    public func stop() async {
        await server.stop()
    }

    /// The time the simulator lives in.
    public var clock: SimulatorClock { core.clock }

    /// What it does where 1Pass does now this, now that; can be changed while running.
    public var behaviour: Behaviour {
        get { core.snapshot.behaviour }
        set { core.withState { $0.behaviour = newValue } }
    }

    /// The table of contents.
    private static func routes(_ core: OnePassCore) -> Router<SimulatorContext> {
        let router = Router(context: SimulatorContext.self)
        router.add(middleware: NotFoundAnswers { _ in OnePassAPI.notFound })
        let routes = SimulatorRoutes(router: router, traffic: core.traffic, clock: core.clock)
        OnePassMetadataRoutes(core: core).add(to: routes)
        OnePassAuthorizeRoutes(core: core).add(to: routes)
        OnePassTokenRoutes(core: core).add(to: routes)
        OnePassUserinfoRoutes(core: core).add(to: routes)
        OnePassDeviceFlowRoutes(core: core).add(to: routes)
        OnePassAccountRoutes(core: core).add(to: routes)
        OnePassDeviceKeyRoutes(core: core).add(to: routes)
        OnePassEventRoutes(core: core).add(to: routes)
        OnePassStatusRoutes(core: core).add(to: routes)
        OnePassControlRoutes(core: core).add(to: routes)
        return router
    }
}

extension OnePassSimulator {
    /// What is wrong with the ID tokens made from now on; honest ones when `nil`.
    public var forgery: IDTokenForgery? {
        get { core.keys.idTokens.forgery }
        set { core.keys.idTokens.forgery = newValue }
    }

    /// What is wrong with the access tokens made from now on; honest ones when `nil`. Userinfo takes the wrong ones too,
    /// as another issuer's would.
    public var accessTokenForgery: IDTokenForgery? {
        get { core.keys.accessTokens.forgery }
        set { core.keys.accessTokens.forgery = newValue }
    }

    /// Gives the ID tokens made from now on this claim, or takes it away from them when `value` is `nil`.
    public func replaceClaim(_ name: String, with value: JSONValue?) {
        core.keys.idTokens.replaceClaim(name, with: value)
    }

    /// Makes honest tokens again.
    public func restoreTokens() {
        core.keys.idTokens.restore()
        core.keys.accessTokens.restore()
    }

    /// Signs with a new key from now on; the earlier one stays published for ninety days.
    public func rotateKeys() {
        core.keys.rotate(now: clock.now)
    }

    /// The keys, for tests that publish nonsense among them.
    public var keys: IssuerKeys { core.keys.issuerKeys }
}
