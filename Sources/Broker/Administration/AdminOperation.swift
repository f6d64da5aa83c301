package import BrokerStore
import ProviderKit

/// An administrative operation: its parameters, and the work.
///
/// The command line runs it in process on the store, or sends it to a broker as
/// `POST /v1/broker/admin/<name>` with the encoded parameters as the body. Both encode the same answer, so both print
/// the same. Parameters that may be left out are optional; ranges are checked in ``run(for:)``, because a request has
/// passed no command line.
package protocol AdminOperation: Codable, Sendable {
    /// The answer. Its JSON form is the document of `--json`.
    associatedtype Answer: Codable & Sendable

    /// The stable name, such as `users.list`.
    static var name: String { get }

    /// The summary in one sentence, for the API's description.
    static var summary: String { get }

    /// The right that a credential needs; nil for an operation that every valid credential may call.
    static var scope: AdminScope? { get }

    /// Whether the operation sends requests to providers, and so needs their secrets.
    static var asksProviders: Bool { get }

    /// The maximum size of a request's body, in bytes.
    static var maximumBody: Int { get }

    /// Does the work.
    ///
    /// - Throws: ``AdminFailure``, an error that has one (``AdminFailure/init(_:)``), or a store's error.
    func run(for call: AdminCall) async throws -> Answer
}

extension AdminOperation {
    package static var asksProviders: Bool { false }

    package static var maximumBody: Int { RequestFields.maximumBody }

    /// Whether a remote call is recorded as a read. Following a log would record every look at it.
    static var isRead: Bool {
        guard let scope, scope != .readEvents else { return false }
        return scope.rawValue.hasSuffix(":read") && !name.hasSuffix(".follow")
    }

    /// The path of the operation's route.
    package static var path: String { "/v1/broker/admin/" + name }
}

/// The call of an operation: the context it works in, and the administrator who called it.
package struct AdminCall: Sendable {
    package let admin: AdminContext
    /// The administrator, for the audit: `credential:<id>`, or the operating system's user on the broker's host.
    package let origin: Origin
    /// The remote caller; nil on the broker's host, where every operation is allowed.
    package let administrator: Administrator?

    package init(_ admin: AdminContext, origin: Origin, administrator: Administrator? = nil) {
        self.admin = admin
        self.origin = origin
        self.administrator = administrator
    }
}
