public import Logging
public import ProviderKit

extension OpenIDSimulator {
    /// How a simulator starts.
    public struct Options: Sendable {
        /// The protocol.
        public enum Mode: Sendable, Hashable {
            case openIDConnect
            /// No discovery, no keys, no ID tokens.
            case oauth2
        }

        /// The habits of servers that read the standard differently.
        public struct Quirks: OptionSet, Sendable {
            public let rawValue: Int

            /// Quirks by their bits.
            public init(rawValue: Int) { self.rawValue = rawValue }

            /// Errors of the token endpoint come with status 200.
            public static let errorsWithStatus200 = Quirks(rawValue: 1)
            /// `expires_in` is a string.
            public static let numbersAsText = Quirks(rawValue: 2)
            /// `scope` in token answers is a list.
            public static let scopesAsList = Quirks(rawValue: 4)
            /// Requests with PKCE are turned away.
            public static let refusesCodeChallenge = Quirks(rawValue: 8)
            /// Withdrawing a token that is gone is an error.
            public static let refusesUnknownTokens = Quirks(rawValue: 16)
            /// ID tokens are signed with the secret of the first application (HS256).
            public static let signsWithClientSecret = Quirks(rawValue: 32)
        }

        /// The port on 127.0.0.1; 0 for a free one.
        public var port: Int
        /// The clock.
        public var clock: SimulatorClock
        /// The protocol.
        public var mode: Mode
        /// Its deviations from the standard.
        public var quirks: Quirks
        /// The algorithm of ID tokens.
        public var algorithm: IDTokenPolicy.Algorithm
        /// The registration that exists at start; a new one when `nil`.
        public var application: Application?
        /// The users at start; ``Person/examples()`` when `nil`.
        public var people: [Person]?
        /// Whether codes are given only to requests with PKCE.
        public var requiresCodeChallenge: Bool
        /// `expires_in` of the answer to a code, in seconds. Tokens live an hour all the same, and those of a refresh say
        /// so: with 0 a client has to refresh at once, and then no more.
        public var expiresInOfCodes: Int
        /// The logger of the server's own messages; none by default.
        public var logger: Logger

        /// Collects options.
        public init(
            port: Int = 0, clock: SimulatorClock = .system, mode: Mode = .openIDConnect, quirks: Quirks = [],
            algorithm: IDTokenPolicy.Algorithm = .rs256, application: Application? = nil, people: [Person]? = nil,
            requiresCodeChallenge: Bool = false, expiresInOfCodes: Int = 3600,
            logger: Logger = Logger(label: "openid-simulator") { _ in SwiftLogNoOpLogHandler() }
        ) {
            self.port = port
            self.clock = clock
            self.mode = mode
            self.quirks = quirks
            self.algorithm = algorithm
            self.application = application
            self.people = people
            self.requiresCodeChallenge = requiresCodeChallenge
            self.expiresInOfCodes = expiresInOfCodes
            self.logger = logger
        }
    }
}
