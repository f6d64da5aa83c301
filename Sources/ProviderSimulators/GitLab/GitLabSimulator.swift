import Hummingbird
public import ProviderKit
public import ProviderKitTesting

/// A stand-in for GitLab's sign-in, faithful on the wire, on 127.0.0.1.
///
/// It speaks what gitlab.com and self-managed installations speak to OAuth applications: the authorization page with
/// PKCE, rotating tokens, ID tokens that live two minutes, the token info that names the application, `/api/v4/user`,
/// revocation, introspection and the device flow. Several may run at once, each an installation of its own, also below
/// a path. Time, faults and people are under the test's control.
///
/// ```swift
/// let gitlab = try await GitLabSimulator.start()
/// let code = gitlab.authorizationCode(for: gitlab.people()[0], application: gitlab.defaultApplication)
/// // … let the code under test redeem it at gitlab.url …
/// await gitlab.stop()
/// ```
///
/// Unlike GitLab it has no passwords: whoever opens the page chooses whom to be. Everybody is fictitious.
public final class GitLabSimulator: Sendable {
    /// The installation's base, which is its issuer too, such as `http://127.0.0.1:40123/gitlab`.
    public let url: String
    /// The base of the REST API: `url` followed by `/api/v4`.
    public let apiURL: String
    /// The registration that exists since the start.
    public let defaultApplication: Application

    let core: GitLabCore
    private let server: SimulatorServer

    private init(core: GitLabCore, server: SimulatorServer, defaultApplication: Application) {
        self.core = core
        self.server = server
        self.defaultApplication = defaultApplication
        url = core.snapshot.url
        apiURL = url + "/api/v4"
    }

    /// Starts a simulator and returns once it listens, within milliseconds.
    ///
    /// - Throws: An I/O error when the port is taken.
    public static func start(_ options: Options = .init()) async throws -> GitLabSimulator {
        let application = options.application ?? Application()
        let core = GitLabCore(options, application: application)
        let server = try await SimulatorServer.start(
            routes(core), port: options.port, clock: options.clock, logger: options.logger,
            onListening: { port in core.withState { $0.url = "http://127.0.0.1:\(port)" + core.prefix } })
        return GitLabSimulator(core: core, server: server, defaultApplication: application)
    }

    /// Closes all connections and returns once the port is free.
    public func stop() async {
        await server.stop()
    }

    /// The time the simulator lives in.
    public var clock: SimulatorClock { core.clock }

    /// What redirects say about the issuer; can be changed while running.
    public var issuerParameter: IssuerParameter {
        get { core.snapshot.issuerParameter }
        set { core.withState { $0.issuerParameter = newValue } }
    }

    /// What is wrong with the ID tokens made from now on; nothing when `nil`.
    public var forgery: IDTokenForgery? {
        get { core.mint.forgery }
        set { core.mint.forgery = newValue }
    }

    /// Gives the ID tokens made from now on another claim, or takes one away when `value` is `nil`.
    public func replaceClaim(_ name: String, with value: JSONValue?) {
        core.mint.replaceClaim(name, with: value)
    }

    /// The keys ID tokens are signed with: to rotate, or to publish decoys beside them.
    public var keys: IssuerKeys { core.mint.keys }

    /// The table of contents.
    private static func routes(_ core: GitLabCore) -> Router<SimulatorContext> {
        let router = Router(context: SimulatorContext.self)
        router.add(middleware: NotFoundAnswers { GitLabNotFound.response(to: $0) })
        let routes = SimulatorRoutes(router: router, traffic: core.traffic, clock: core.clock)
        GitLabAuthorizeRoutes(core: core).add(to: routes)
        GitLabTokenRoutes(core: core).add(to: routes)
        GitLabTokenFateRoutes(core: core).add(to: routes)
        GitLabOpenIDRoutes(core: core).add(to: routes)
        GitLabDeviceRoutes(core: core).add(to: routes)
        GitLabUserRoutes(core: core).add(to: routes)
        GitLabStatusRoutes(core: core).add(to: routes)
        GitLabControlRoutes(core: core).add(to: routes)
        return router
    }
}
