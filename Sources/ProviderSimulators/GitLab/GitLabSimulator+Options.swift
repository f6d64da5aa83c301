public import Logging

extension GitLabSimulator {
    /// The `iss` parameter of redirects (RFC 9207).
    public enum IssuerParameter: String, Sendable, Hashable {
        /// No parameter, as GitLab has it.
        case off
        /// The installation's own issuer, as a later GitLab may send it.
        case right
        /// Another issuer.
        case wrong
    }

    /// How a simulator starts.
    public struct Options: Sendable {
        /// The port on 127.0.0.1; 0 for a free one.
        public var port: Int
        /// The clock.
        public var clock: SimulatorClock
        /// The path below which the installation stands, such as `/gitlab`; empty for the root.
        public var pathPrefix: String
        /// The issuer in redirects.
        public var issuerParameter: IssuerParameter
        /// The registration that exists at start; a new one when `nil`.
        public var application: Application?
        /// The users at start; ``Person/examples()`` when `nil`.
        public var people: [Person]?
        /// Whether users without a consent page go back by a page with status 200 instead of a redirect.
        public var showsRedirectPage: Bool
        /// Whether a dead token at the token info is 401 `invalid_token`, as plain Doorkeeper has it, instead of 400.
        public var answersTokenInfoLikeDoorkeeper: Bool
        /// Whether devices get a refresh token.
        public var givesDevicesRefreshTokens: Bool
        /// API calls per hour and person; `nil` for no limit, as self-managed installations start.
        public var rateLimit: Int?
        /// The logger of the server's own messages; none by default.
        public var logger: Logger

        /// Collects options.
        public init(
            port: Int = 0, clock: SimulatorClock = .system, pathPrefix: String = "",
            issuerParameter: IssuerParameter = .off, application: Application? = nil, people: [Person]? = nil,
            showsRedirectPage: Bool = true, answersTokenInfoLikeDoorkeeper: Bool = false,
            givesDevicesRefreshTokens: Bool = true, rateLimit: Int? = nil,
            logger: Logger = Logger(label: "gitlab-simulator") { _ in SwiftLogNoOpLogHandler() }
        ) {
            self.port = port
            self.clock = clock
            self.pathPrefix = pathPrefix
            self.issuerParameter = issuerParameter
            self.application = application
            self.people = people
            self.showsRedirectPage = showsRedirectPage
            self.answersTokenInfoLikeDoorkeeper = answersTokenInfoLikeDoorkeeper
            self.givesDevicesRefreshTokens = givesDevicesRefreshTokens
            self.rateLimit = rateLimit
            self.logger = logger
        }
    }
}
