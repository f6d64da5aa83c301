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

    static var declaration: OperationDeclaration { get }

    /// Does the work.
    ///
    /// - Throws: ``AdminFailure``, an error that has one (``AdminFailure/init(_:)``), or a store's error.
    func run(for call: AdminCall) async throws -> Answer

    /// How a person sees the answer.
    func text(of answer: Answer) throws -> TerminalText

    /// Whether the command fails although the operation was done: it found nothing, or what it tried failed.
    func isFailure(_ answer: Answer) -> Bool

    /// The rows of an answer that the argument `limit` bounds; nil where none does.
    func rowCount(of answer: Answer) -> Int?

    /// What is wrong with the arguments together, in the words of the command line; nil when nothing is.
    var misuse: String? { get }

    /// The question before something is lost.
    ///
    /// - Parameter runner: Runs operations that tell what the question is about.
    /// - Returns: nil where there is nothing to ask.
    /// - Throws: An error of these operations.
    func question(_ runner: some OperationRunner) async throws -> OperationQuestion?
}

extension AdminOperation {
    package static var name: String { declaration.name }

    /// Whether a remote call is recorded as a read. Following a log would record every look at it.
    static var isRead: Bool {
        guard let scope = declaration.scope, scope != .readEvents else { return false }
        return scope.rawValue.hasSuffix(":read") && !name.hasSuffix(".follow")
    }

    /// The path of the operation's route.
    package static var path: String { "/v1/broker/admin/" + name }

    package func text(of answer: Answer) throws -> TerminalText {
        TerminalText(json: try JSONValueEncoder().encode(answer), indented: true)
    }

    package func isFailure(_ answer: Answer) -> Bool { false }

    package func rowCount(of answer: Answer) -> Int? { nil }

    package var misuse: String? { nil }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? { nil }
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

    /// Runs an operation for its caller, if the caller's scopes allow it. A remote read is recorded in the audit; changes
    /// have entries of their own.
    ///
    /// - Throws: ``WireError`` for a scope that the caller lacks, or an error of the operation.
    func run<Operation: AdminOperation>(_ operation: Operation) async throws -> Operation.Answer {
        if let administrator {
            try administrator.require(Operation.declaration.scope)
            if Operation.isRead {
                try await admin.write(by: origin) { transaction in
                    try transaction.audit("admin.read", of: nil, detail: ["operation": .string(Operation.name)])
                }
            }
        }
        return try await operation.run(for: self)
    }
}
