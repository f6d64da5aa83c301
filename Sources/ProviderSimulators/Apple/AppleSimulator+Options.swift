public import Logging

extension AppleSimulator {
    /// Which of Apple's names ID tokens and notifications carry (`iss`).
    public enum Issuer: String, Sendable, Hashable, CaseIterable {
        /// The simulator's own address.
        case own
        /// `https://appleid.apple.com`
        case appleID = "https://appleid.apple.com"
        /// `https://account.apple.com`
        case account = "https://account.apple.com"
    }

    /// How `email_verified`, `is_private_email` and `nonce_supported` are written.
    public enum BooleanStyle: String, Sendable, Hashable, CaseIterable {
        /// `"true"`, as Apple often does.
        case string
        /// `true`
        case boolean
        /// Left out.
        case absent
    }

    /// How the simulator behaves where Apple has behaved in several ways. Can be changed while it runs.
    public struct Behaviour: Sendable {
        /// Which name tokens carry.
        public var issuer = Issuer.own
        /// How truth values are written.
        public var booleans = BooleanStyle.string
        /// Whether tokens repeat the nonce and say that they can.
        public var supportsNonce = true
        /// Whether an answer to a refresh has an ID token.
        public var sendsIDTokenOnRefresh = false
        /// How often a day one refresh token may be used before the simulator answers 429; `nil` for as often as one
        /// likes. Apple asks for once and does not document how it throttles.
        public var refreshesPerDay: Int?
        /// Whether the migration calls of a recipient team take the old team's token, as they did for some.
        public var acceptsForeignMigrationToken = false
        /// Seconds an ID token lives.
        public var idTokenLifetime: Int64 = 86_400

        /// Apple as it usually is.
        public init() {}
    }

    /// How a simulator starts.
    public struct Options: Sendable {
        /// The port on 127.0.0.1; 0 for a free one.
        public var port: Int
        /// The clock.
        public var clock: SimulatorClock
        /// How it behaves at start.
        public var behaviour: Behaviour
        /// The team that exists at start, ten characters; random unless given.
        public var teamID: String?
        /// The team's key; a new one when `nil`.
        public var key: Key?
        /// The Services ID that exists at start; a new one when `nil`.
        public var application: Application?
        /// The app that exists at start; a new one when `nil`.
        public var nativeApplication: Application?
        /// The users at start; ``Person/examples()`` when `nil`.
        public var people: [Person]?
        /// The logger of the server's own messages; none by default.
        public var logger: Logger

        /// Collects options.
        public init(
            port: Int = 0, clock: SimulatorClock = .system, behaviour: Behaviour = .init(), teamID: String? = nil,
            key: Key? = nil, application: Application? = nil, nativeApplication: Application? = nil,
            people: [Person]? = nil,
            logger: Logger = Logger(label: "apple-simulator") { _ in SwiftLogNoOpLogHandler() }
        ) {
            self.port = port
            self.clock = clock
            self.behaviour = behaviour
            self.teamID = teamID
            self.key = key
            self.application = application
            self.nativeApplication = nativeApplication
            self.people = people
            self.logger = logger
        }
    }
}
