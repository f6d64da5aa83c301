import BrokerStore
import ProviderKit

/// The error of an administrative operation: a stable code for scripts, and a message that says what to do.
package struct AdminFailure: Error, Sendable, Equatable {
    /// What is at fault, which decides the exit code of the command line.
    package enum Kind: Sendable, CaseIterable {
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
        // Its status says that the credential is at fault.
        case BrokerError.configuration(.trustRequired): return nil
        case let error as BrokerError: self.init(wireMessage: error.wireMessage, status: nil)
        case let error as WireError: self.init(wireMessage: error.message, status: error.status)
        default: return nil
        }
    }

    /// The failure of an error that the HTTP API answered with.
    ///
    /// - Parameters:
    ///   - wireMessage: `CODE`, or `CODE : text`.
    ///   - status: Google's canonical name, which tells what is at fault.
    package init(wireMessage: String, status: String?) {
        let code = wireMessage.prefix { $0 != " " }
        let text = wireMessage.dropFirst(code.count)
        let kind = Kind.allCases.first { $0.status == status } ?? .refused
        guard text.isEmpty || text.hasPrefix(" : ") else {
            // An error of the transport has no code of its own.
            self.init(code: status ?? "BAD_REQUEST", wireMessage, kind: kind)
            return
        }
        self.init(code: String(code), String(text.isEmpty ? code : text.dropFirst(3)), kind: kind)
    }
}

extension AdminFailure.Kind {
    fileprivate var status: String? {
        switch self {
        case .refused: nil
        case .invalidParameters: "INVALID_ARGUMENT"
        case .configuration: "FAILED_PRECONDITION"
        }
    }
}

extension WireError {
    /// The answer to an administrator.
    init(_ failure: AdminFailure) {
        self = .code(failure.code, failure.message == failure.code ? nil : failure.message)
        status = failure.kind.status
    }
}
