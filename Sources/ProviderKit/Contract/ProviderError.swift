/// The reason why a credential could not be verified: the party that has to act, the step, and details for the
/// operator.
public struct ProviderError: Error, Sendable, CustomStringConvertible {
    /// The party that has to act.
    public enum Fault: String, Sendable, Hashable {
        /// The user has to sign in again: the credential is expired, revoked, replayed or forged.
        case credential
        /// The user cancelled at the provider.
        case cancelled
        /// Retry later: the provider is unavailable, slow or rate-limiting, or its response is invalid.
        case upstream
        /// The operator: the options are wrong, or the provider refused our client.
        case configuration
        /// The client: its nonce differs from the ID token's, or one of the two is missing.
        case nonce
    }

    /// The obstacle that prevented a response, for `broker providers check`.
    public enum Obstacle: String, Sendable, Hashable {
        /// The host's name has no address.
        case nameNotFound
        /// The broker's rules do not allow the address.
        case addressNotAllowed
        /// The connection was refused, or there is no route.
        case connectionFailed
        /// The certificate has another name, is not valid now, or has an unknown authority.
        case certificateRefused
        /// No complete response in time.
        case timedOut
    }

    /// The step of the verification.
    public enum Step: String, Sendable, Hashable {
        case configure, discover, redeem, introspect, verifyIDToken, fetchProfile, readProfile, refresh, revoke,
            authorizeDevice, verifyNotification, pollEvents, migrate
    }

    /// The party that has to act.
    public let fault: Fault
    /// The step of the verification.
    public let step: Step
    /// The details for the operator's log. Never sent to clients; never contains a credential.
    public let reason: String
    /// Seconds until a retry, if the provider sent them.
    public let retryAfter: Int?
    /// The obstacle, if there was no response.
    public let obstacle: Obstacle?

    /// Makes an error; `reason` is for the log and must not contain a credential.
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
