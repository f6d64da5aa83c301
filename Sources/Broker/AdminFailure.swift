/// The error of an administrative operation: a stable code for scripts, and a message that says what to do.
package struct AdminFailure: Error, Sendable, Equatable {
    /// The faulty part, which decides the exit code of the command line.
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

    /// The properties of a client are not valid.
    static func invalidClient(_ reason: String) -> AdminFailure {
        AdminFailure(code: "INVALID_CLIENT", reason, kind: .invalidParameters)
    }

    /// The properties of an admin credential or a service account are not valid.
    static func invalidCredential(_ reason: String) -> AdminFailure {
        AdminFailure(code: "INVALID_CREDENTIAL", reason, kind: .invalidParameters)
    }

    /// A private key is not valid; `reason` contains no part of it.
    static func invalidKey(_ reason: String) -> AdminFailure {
        AdminFailure(code: "INVALID_KEY", reason, kind: .invalidParameters)
    }
}
