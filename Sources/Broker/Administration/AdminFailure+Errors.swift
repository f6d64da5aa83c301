import BrokerStore
import ProviderKit

extension AdminFailure {
    /// The failure that stands for an error of a flow.
    ///
    /// - Returns: nil for errors of the broker itself.
    package init?(_ error: any Error) {
        switch error {
        case let error as AdminFailure: self = error
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
