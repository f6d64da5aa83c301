import Hummingbird
public import ProviderKit
public import ProviderKitTesting

/// A stand-in for Sign in with Apple, faithful on the wire, on 127.0.0.1.
///
/// It speaks what Apple speaks to apps and web sites: the authorization page with its form post, the token, revocation
/// and migration endpoints with their signed `client_secret`, the shuffled keys, ID tokens in every spelling of truth,
/// and notifications. What a device gives a native app comes from ``nativeCredential(for:application:rawNonce:scopes:)``.
/// Time, faults and people are under the test's control.
///
/// ```swift
/// let apple = try await AppleSimulator.start()
/// let ada = apple.people()[0]
/// let credential = apple.nativeCredential(for: ada, application: apple.nativeApplication, rawNonce: "n")
/// // … let the code under test verify credential.idToken and redeem credential.authorizationCode at apple.url …
/// await apple.stop()
/// ```
///
/// Unlike Apple it has no passwords: whoever opens the page chooses whom to be. Everybody is fictitious.
public final class AppleSimulator: Sendable {
    /// The base of all endpoints, such as `http://127.0.0.1:40123`.
    public let url: String
    /// The team that exists since the start.
    public let teamID: String
    /// The key of that team: what its clients sign their secrets with.
    public let key: Key
    /// The Services ID that exists since the start.
    public let defaultApplication: Application
    /// The app that exists since the start.
    public let nativeApplication: Application

    let core: AppleCore
    private let server: SimulatorServer

    private init(core: AppleCore, server: SimulatorServer, key: Key, web: Application, native: Application) {
        self.core = core
        self.server = server
        self.key = key
        defaultApplication = web
        nativeApplication = native
        url = core.snapshot.url
        teamID = core.snapshot.teamID
    }

    /// Starts a simulator and returns once it listens, within milliseconds.
    ///
    /// - Throws: An I/O error when the port is taken.
    public static func start(_ options: Options = .init()) async throws -> AppleSimulator {
        let core = AppleCore(options, teamID: options.teamID ?? RandomText.capital(10))
        let native = core.withState { $0.register(options.nativeApplication ?? Application(kind: .native)) }
        let web = core.withState { $0.register(options.application ?? Application()) }
        var key = options.key ?? Key()
        if key.teamID.isEmpty { key.teamID = core.snapshot.teamID }
        let server = try await SimulatorServer.start(
            routes(core), port: options.port, clock: options.clock, logger: options.logger,
            onListening: { port in core.withState { $0.url = "http://127.0.0.1:\(port)" } })
        let simulator = AppleSimulator(core: core, server: server, key: key, web: web, native: native)
        simulator.register(key)
        return simulator
    }

    /// Closes all connections and returns once the port is free.
    public func stop() async {
        await server.stop()
    }

    /// The time the simulator lives in.
    public var clock: SimulatorClock { core.clock }

    /// How it behaves; can be changed while running.
    public var behaviour: Behaviour {
        get { core.snapshot.behaviour }
        set { core.withState { $0.behaviour = newValue } }
    }

    /// The keys ID tokens and notifications are signed with: rotate them, publish decoys.
    public var keys: IssuerKeys { core.mint.keys }

    /// What is wrong with the ID tokens made from now on.
    public var forgery: IDTokenForgery? {
        get { core.mint.forgery }
        set { core.mint.forgery = newValue }
    }

    /// Gives the ID tokens made from now on this claim, or takes it away from them when `value` is `nil`.
    public func replaceClaim(_ name: String, with value: JSONValue?) {
        core.mint.replaceClaim(name, with: value)
    }

    /// Makes honest ID tokens again.
    public func restoreTokens() {
        core.mint.restore()
    }

    /// The table of contents.
    private static func routes(_ core: AppleCore) -> Router<SimulatorContext> {
        let router = Router(context: SimulatorContext.self)
        router.add(middleware: NotFoundAnswers { _ in ApplePages.notFound })
        let routes = SimulatorRoutes(router: router, traffic: core.traffic, clock: core.clock)
        AppleAuthorizeRoutes(core: core).add(to: routes)
        AppleTokenRoutes(core: core).add(to: routes)
        AppleMigrationRoutes(core: core).add(to: routes)
        AppleMetadataRoutes(core: core).add(to: routes)
        AppleStatusRoutes(core: core).add(to: routes)
        AppleControlRoutes(core: core).add(to: routes)
        return router
    }
}
