import BrokerStore
import ProviderKit

/// The error of an administrative operation: a stable code for scripts, and a message that says what to do.
package struct AdminFailure: Error, Sendable, Equatable {
    /// What is at fault, which decides the exit code of the command line.
    package enum Kind: Sendable {
        /// The state of the broker does not allow the operation.
        case refused
        /// The parameters are not valid.
        case invalidParameters
        /// The broker's configuration is not valid.
        case configuration
    }

    package let code: String
    package let message: String
    package let kind: Kind

    package init(code: String, _ message: String, kind: Kind = .refused) {
        self.code = code
        self.message = message
        self.kind = kind
    }

    /// An error with a code that other APIs have too.
    init(code: ErrorCode, _ message: String) { self.init(code: code.rawValue, message) }

    /// A parameter that is not valid; `name` is its name in the body.
    package static func parameter(_ name: String, _ rule: String) -> AdminFailure {
        AdminFailure(code: "INVALID_ARGUMENT", "\(name) \(rule)", kind: .invalidParameters)
    }

    /// The failure that stands for an error of a flow.
    ///
    /// - Returns: nil for errors of the broker itself.
    package init?(_ error: any Error) {
        switch error {
        case let error as AdminFailure: self = error
        case let error as ClientRegistration.Refusal:
            self.init(code: "INVALID_CLIENT", error.reason, kind: .invalidParameters)
        case let error as AdminCredentials.Refusal:
            self.init(code: "INVALID_CREDENTIAL", error.reason, kind: .invalidParameters)
        case let error as ServiceAccounts.Refusal:
            self.init(code: "INVALID_CREDENTIAL", error.reason, kind: .invalidParameters)
        case let error as ClientSigningKey.Refusal:
            self.init(code: "INVALID_KEY", error.reason, kind: .invalidParameters)
        case let error as ConfigurationError:
            self.init(code: "CONFIGURATION", error.description, kind: .configuration)
        case let error as ConfigurationFinding: self.init(code: error.code, "\(error.text). \(error.fix)")
        case let error as ProviderError: self.init(code: "PROVIDER", "the provider: \(error.reason)")
        case let error as BrokerError:
            // Its status says that the credential is at fault.
            guard error.category != .missingScope else { return nil }
            self.init(WireError(error))
        case let error as WireError: self.init(error)
        default: return nil
        }
    }

    /// An error of the transport has no code of its own.
    private init(_ error: WireError) {
        self.init(
            code: error.code ?? error.status?.rawValue ?? "BAD_REQUEST", error.text ?? error.message,
            kind: Kind(error.status))
    }
}

extension AdminFailure.Kind {
    fileprivate init(_ status: WireError.Status?) {
        switch status {
        case .invalidArgument: self = .invalidParameters
        case .failedPrecondition: self = .configuration
        case .unauthenticated, .permissionDenied, .notFound, .notImplemented, .unavailable, nil: self = .refused
        }
    }

    /// The kind of an error that a broker's HTTP API answered with; `status` is Google's canonical name.
    package init(answered status: String?) { self.init(status.flatMap(WireError.Status.init)) }

    fileprivate var status: WireError.Status? {
        switch self {
        case .refused: nil
        case .invalidParameters: .invalidArgument
        case .configuration: .failedPrecondition
        }
    }
}

extension WireError {
    /// The answer to an administrator.
    init(_ failure: AdminFailure) {
        self.init(
            status: failure.kind.status, code: failure.code,
            text: failure.message == failure.code ? nil : failure.message)
    }
}
