/// Why a provider could not vouch for a credential: who has to act, how far it got, and what the operator should know.
public struct ProviderError: Error, Sendable, CustomStringConvertible {
    /// Who has to act.
    public enum Fault: String, Sendable, Hashable {
        /// The person has to sign in again: expired, revoked, replayed or forged.
        case credential
        /// The person said no at the provider.
        case cancelled
        /// Nobody, just later: the upstream is down, slow or rate-limiting, or talks nonsense.
        case upstream
        /// The operator: options are wrong or the upstream refused our own client.
        case configuration
        /// The client: the nonce it sent is not the one in the ID token, or one of the two is missing.
        case nonce
    }

    /// What stood between the broker and an answer, for `broker providers check`.
    public enum Obstacle: String, Sendable, Hashable {
        /// The host's name has no address.
        case nameNotFound
        /// Its address is not one the broker may ask.
        case addressNotAllowed
        /// Nothing listens there, or nothing routes there.
        case connectionFailed
        /// The certificate is not for that name, not valid now, or of an authority this host does not know.
        case certificateRefused
        /// No whole answer in time.
        case timedOut
    }

    /// How far verification got.
    public enum Step: String, Sendable, Hashable {
        case configure, discover, redeem, introspect, verifyIDToken, fetchProfile, readProfile, refresh, revoke,
            authorizeDevice
    }

    /// Who has to act.
    public let fault: Fault
    /// How far verification got.
    public let step: Step
    /// For the operator's log. Never sent to clients; never holds a credential.
    public let reason: String
    /// Seconds after which the upstream wants to be asked again, when it said so.
    public let retryAfter: Int?
    /// What kept an answer from coming, when none came.
    public let obstacle: Obstacle?

    /// An error whose `reason` is for the log, and holds no credential.
    public init(
        _ fault: Fault, at step: Step, _ reason: String, retryAfter: Int? = nil, obstacle: Obstacle? = nil
    ) {
        self.fault = fault
        self.step = step
        self.reason = reason
        self.retryAfter = retryAfter
        self.obstacle = obstacle
    }

    /// Fault, step and reason, for the log.
    public var description: String { "\(fault.rawValue) fault at \(step.rawValue): \(reason)" }
}
