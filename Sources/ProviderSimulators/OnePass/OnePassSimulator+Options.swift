public import Logging

extension OnePassSimulator {
    /// How accounts that went into another one are listed.
    public enum LinkedSubjects: String, Sendable, Hashable, CaseIterable {
        /// Objects with subject, trigger, time and event, as the documentation has it.
        case objects
        /// Subjects as text, as older clients read it.
        case strings
        /// Subjects as numbers.
        case integers
        /// The claim is left out.
        case absent
    }

    /// The behaviour of 1Pass that varies, or that is not documented. It can be changed while running.
    public struct Behaviour: Sendable {
        /// How `linked_subs` is written.
        public var linkedSubjects: LinkedSubjects = .objects
        /// Whether userinfo writes `sub` and `canonical_sub` as numbers.
        public var writesNumericSubjects = false
        /// Whether discovery names the userinfo endpoint.
        public var namesUserinfoEndpoint = true
        /// Whether a refresh answers with a new refresh token; the old one goes on working otherwise.
        public var rotatesRefreshTokens = true
        /// Whether a refresh answers with an ID token, which then has no nonce.
        public var refreshesIDTokens = true
        /// The header's `typ` of access tokens.
        public var accessTokenType: String? = "JWT"
        /// Seconds a device has to wait between polls.
        public var deviceInterval = 5
        /// Whether authorization responses have `iss` (RFC 9207). 1Pass does not document it.
        public var namesIssuerInResponses = false
        /// Whether events wait until ``OnePassSimulator/deliverWaiting()`` or ``OnePassSimulator/deliver(_:)`` sends
        /// them.
        public var holdsWebhooks = false

        /// The usual behaviour.
        public init() {}
    }

    /// How a simulator starts.
    public struct Options: Sendable {
        /// The port on 127.0.0.1; 0 for a free one.
        public var port: Int
        /// The clock.
        public var clock: SimulatorClock
        /// The issuer in tokens and discovery; the simulator's own address when `nil`.
        public var issuer: String?
        /// The registration that exists at start; a new one when `nil`.
        public var application: Application?
        /// The users at start; ``Person/examples()`` when `nil`.
        public var people: [Person]?
        /// The behaviour in which installations of 1Pass differ.
        public var behaviour: Behaviour
        /// The logger of the server's own messages; none by default.
        public var logger: Logger

        /// Collects options.
        public init(
            port: Int = 0, clock: SimulatorClock = .system, issuer: String? = nil, application: Application? = nil,
            people: [Person]? = nil, behaviour: Behaviour = .init(),
            logger: Logger = Logger(label: "1pass-simulator") { _ in SwiftLogNoOpLogHandler() }
        ) {
            self.port = port
            self.clock = clock
            self.issuer = issuer
            self.application = application
            self.people = people
            self.behaviour = behaviour
            self.logger = logger
        }
    }
}
