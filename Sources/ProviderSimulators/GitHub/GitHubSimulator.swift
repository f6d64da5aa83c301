import Hummingbird

/// A stand-in for GitHub's sign-in, faithful on the wire, on 127.0.0.1.
///
/// It speaks what github.com and GitHub Enterprise Server speak to OAuth apps and GitHub Apps: the authorization page
/// with PKCE, the token endpoint with its form-encoded answers and errors in status 200, the device flow, `/user`,
/// `/user/emails` and the token checks under `/applications`. Time, faults and people are under the test's control.
///
/// ```swift
/// let github = try await GitHubSimulator.start()
/// let code = github.authorizationCode(for: github.people()[0], application: github.defaultApplication)
/// // … let the code under test redeem it at github.url …
/// await github.stop()
/// ```
///
/// Unlike GitHub it has no passwords: whoever opens the page chooses whom to be. Everybody is fictitious.
public final class GitHubSimulator: Sendable {
    /// The base of the OAuth endpoints, such as `http://127.0.0.1:40123`.
    public let url: String
    /// The base of the REST API: `url` followed by `/api`, or by `/api/v3` as Enterprise Server has it.
    public let apiURL: String
    /// The registration that exists since the start.
    public let defaultApplication: Application

    let core: GitHubCore
    private let server: SimulatorServer

    private init(core: GitHubCore, server: SimulatorServer, defaultApplication: Application) {
        self.core = core
        self.server = server
        self.defaultApplication = defaultApplication
        url = core.snapshot.url
        apiURL = url + core.apiPath
    }

    /// Starts a simulator and returns once it listens, within milliseconds.
    ///
    /// - Throws: An I/O error when the port is taken.
    public static func start(_ options: Options = .init()) async throws -> GitHubSimulator {
        let application = options.application ?? Application()
        let core = GitHubCore(options, application: application)
        let server = try await SimulatorServer.start(
            routes(core), port: options.port, clock: options.clock, logger: options.logger,
            onListening: { port in core.withState { $0.url = "http://127.0.0.1:\(port)" } })
        return GitHubSimulator(core: core, server: server, defaultApplication: application)
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

    /// The table of contents.
    private static func routes(_ core: GitHubCore) -> Router<SimulatorContext> {
        let router = Router(context: SimulatorContext.self)
        let apiPath = core.apiPath
        router.add(middleware: NotFoundAnswers { GitHubNotFound.response(to: $0, apiPath: apiPath) })
        let routes = SimulatorRoutes(router: router, traffic: core.traffic, clock: core.clock)
        GitHubAuthorizeRoutes(core: core).add(to: routes)
        GitHubTokenRoutes(core: core).add(to: routes)
        GitHubDeviceRoutes(core: core).add(to: routes)
        GitHubUserRoutes(api: GitHubAPI(core: core)).add(to: routes)
        GitHubApplicationRoutes(api: GitHubAPI(core: core)).add(to: routes)
        GitHubMetadataRoutes(core: core).add(to: routes)
        GitHubStatusRoutes(core: core).add(to: routes)
        GitHubControlRoutes(core: core).add(to: routes)
        return router
    }
}
