public import Logging

extension GitHubSimulator {
    /// The `iss` parameter of redirects (RFC 9207).
    public enum IssuerParameter: String, Sendable, Hashable {
        /// No parameter, as before August 2026.
        case off
        /// The simulator's own issuer, as github.com does today.
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
        /// Whether it behaves like GitHub Enterprise Server: the API under `/api/v3`, no rate limits, addresses that
        /// are never verified.
        public var enterprise: Bool
        /// The issuer in redirects.
        public var issuerParameter: IssuerParameter
        /// The registration that exists at start; a new one when `nil`.
        public var application: Application?
        /// The users at start; ``Person/examples()`` when `nil`.
        public var people: [Person]?
        /// Whether PKCE is checked; older Enterprise Servers ignore it.
        public var checksCodeChallenge: Bool
        /// Whether users without a verified primary address get no token (`unverified_user_email`).
        public var requiresVerifiedEmail: Bool
        /// Calls per hour and user, or per hour and client.
        public var rateLimit: Int
        /// Seconds a waiting device is told to leave between polls; GitHub says 5.
        public var deviceInterval: Int
        /// The logger of the server's own messages; none by default.
        public var logger: Logger

        /// Collects options.
        public init(
            port: Int = 0, clock: SimulatorClock = .system, enterprise: Bool = false,
            issuerParameter: IssuerParameter = .right, application: Application? = nil, people: [Person]? = nil,
            checksCodeChallenge: Bool = true, requiresVerifiedEmail: Bool = true, rateLimit: Int = 5000,
            deviceInterval: Int = 5,
            logger: Logger = Logger(label: "github-simulator") { _ in SwiftLogNoOpLogHandler() }
        ) {
            self.port = port
            self.clock = clock
            self.enterprise = enterprise
            self.issuerParameter = issuerParameter
            self.application = application
            self.people = people
            self.checksCodeChallenge = checksCodeChallenge
            self.requiresVerifiedEmail = requiresVerifiedEmail
            self.rateLimit = rateLimit
            self.deviceInterval = deviceInterval
            self.logger = logger
        }
    }
}
