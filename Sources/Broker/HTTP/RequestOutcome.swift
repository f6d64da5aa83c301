import ProviderKit
import Synchronization

/// What a request came to: for its line in the log, the counts, and the recorded causes. It names no user.
struct RequestOutcome: Sendable {
    /// The stable code of the cause for which it was refused.
    var code: String?
    /// The broker's own text for developers.
    var text: String?
    /// The id of a configured provider.
    var provider: String?
    /// The id of a registered OAuth client.
    var clientID: String?
    /// Whether a user signed in.
    var hasSignedIn = false
    /// Whether it is a request to the console, whose administrators are no users.
    var isAtConsole = false

    /// Whether a device only has to ask again (RFC 8628 §3.5), which is no failure.
    var isProgress: Bool { code.map(Self.progress.contains) ?? false }

    private static let progress: Set<String> = ["authorization_pending", "slow_down"]
}

/// The notes of flows about the current request. Outside of requests nothing is noted.
extension RequestAdmission {
    /// What was noted so far.
    var noted: RequestOutcome { outcome.withLock { $0 } }

    /// Notes the cause of a refusal. The first one stays: what follows words it for a client.
    ///
    /// - Parameters:
    ///   - code: A stable code.
    ///   - text: A text of the broker's own, in which nothing stands that was sent.
    static func note(code: String, _ text: String? = nil) {
        current?.outcome.withLock { outcome in
            guard outcome.code == nil else { return }
            (outcome.code, outcome.text) = (code, text)
        }
    }

    /// Notes the cause of a refusal by a flow.
    static func note(_ error: BrokerError) { note(code: error.code.rawValue, error.ownText) }

    /// Notes the provider that the request is about: one that is configured, never a name that was sent.
    static func note(provider: String) { current?.outcome.withLock { $0.provider = provider } }

    /// Notes the client that the request is about: one that is registered, never a name that was sent.
    static func note(clientID: String) { current?.outcome.withLock { $0.clientID = clientID } }

    /// Notes that the request is one to the console: what its providers refuse is no failed sign-in of a user.
    static func noteConsole() { current?.outcome.withLock { $0.isAtConsole = true } }

    /// Notes that a user signed in at a provider, or by other means that have a provider's place.
    static func noteSignIn(at provider: String) {
        current?.outcome.withLock { ($0.provider, $0.hasSignedIn) = (provider, true) }
    }
}

extension BrokerError {
    /// The text, unless something that was sent may stand in it: that of an error without a value, or whose value is the
    /// broker's own.
    fileprivate var ownText: String? {
        switch self {
        case .credentialKindNotAccepted, .stepUpRequired, .providerUnavailable, .providerAnswerUnusable,
            .tooManyDeviceAttempts, .tooManyAttempts, .mergeConflict, .otherLoginInvalid:
            text
        default: Mirror(reflecting: self).children.isEmpty ? text : nil
        }
    }
}
