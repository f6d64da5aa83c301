import BrokerStore
import Foundation
import HTTPTypes
import Hummingbird
import ProviderKit

/// A request of an administrator who is signed in to the console.
struct ConsoleVisit: Sendable {
    let access: ConsoleAccess
    let identity: ConsoleIdentity
    let context: BrokerRequestContext
    /// The path of the request, without its query.
    let path: String
    /// The same with the query.
    let target: String
    /// The parameters of the address.
    let query: QueryParameters
    /// The fields of a form of the console's own that was sent from this session; nil for other requests.
    let form: QueryParameters?
    /// Whether the administrator's login is recent enough for changes. A form can be sent in any case: a login then comes
    /// first, and the form after it.
    let isLoginRecent: Bool

    /// The form's field with an administrator's reason for a change.
    static let reasonField = "reason"
    /// The form's field that ``token(for:)`` fills.
    static let tokenField = "form"

    var administrator: Administrator { identity.administrator }
    var role: ConsoleRole { identity.role }
    var requestID: String { context.requestID }

    /// A value of the path, decoded; empty for a name that the path does not have.
    func value(_ name: String) -> String { context.parameters[name]?.removingPercentEncoding ?? "" }

    /// Whether the administrator's role allows an operation.
    func may(_ operation: any AdminOperation.Type) -> Bool { may(operation.declaration.scope) }

    /// Whether the administrator's role has a scope; nil is the scope of what every administrator may do.
    func may(_ scope: AdminScope?) -> Bool { scope.map(administrator.has) ?? true }

    /// The operations that the administrator's role allows.
    var buttons: OperationButtons { OperationButtons(may: may) }

    /// The request, for the audit: with the reason that the form gives.
    var origin: Origin {
        context.origin(administrator).because(of: form?[Self.reasonField].flatMap(AdministratorReason.cleaned))
    }

    /// The token that a form of this session has in ``tokenField``.
    ///
    /// - Parameter path: The path that the form is sent to. The token counts at no other one.
    /// - Returns: The token, for an hour.
    /// - Throws: An error of the cipher.
    func token(for path: String) throws -> String { try access.sealed(ConsoleFormToken(path: path), identity) }

    /// A form with its token and further hidden fields.
    func form(_ action: String, _ fields: [(name: String, value: String)] = []) throws -> HiddenForm {
        HiddenForm(action: action, fields: [(Self.tokenField, try token(for: action))] + fields)
    }

    /// Redirects the browser to a path of the console.
    func redirect(to path: String) -> Response { access.redirect(to: path) }
}

/// What a form of the console proves: the session that it was made for, and where it may be sent.
struct ConsoleFormToken: Codable, Sendable {
    let path: String
}

extension ConsoleVisit: OperationRunner {
    /// Runs an operation for the administrator, by the check that remote operations have. A read is recorded in the audit.
    ///
    /// A change runs for a form only, after a recent login and with a reason.
    ///
    /// - Throws: ``ConsoleRefusal``, an ``AdminFailure``, or an error that has none.
    func run<Operation: AdminOperation>(_ operation: Operation) async throws -> Operation.Answer {
        guard may(Operation.self) else { throw ConsoleRefusal.roleTooLow(Operation.declaration.scope) }
        if Operation.declaration.effect != .reads {
            guard form != nil, isLoginRecent else { throw ConsoleRefusal.notAllowed }
            guard origin.reason != nil else {
                throw AdminFailure.parameter(Self.reasonField, "must say why you make the change")
            }
        }
        do {
            return try await AdminCall(access.admin, origin: origin, administrator: administrator).run(operation)
        } catch {
            throw AdminFailure(error) ?? error
        }
    }
}

/// The reason why the console refuses a request of an administrator.
enum ConsoleRefusal: Error, Equatable {
    /// The administrator's role lacks this scope.
    case roleTooLow(AdminScope?)
    /// The request is none that the console's own pages make.
    case notAllowed
    /// The form was not made for this session, or too long ago.
    case formInvalid
    /// The page names something that is not there.
    case notFound
    /// The subject that a provider verified is no administrator's.
    case notAdministrator
    /// The invitation was used or has expired.
    case invitationUsed
    /// The subject has a role that an invitation would not raise.
    case hasRole
    /// Another administrator signed in than the one who was to sign in again.
    case otherAdministrator
    /// The provider answered with a login of some time ago.
    case loginNotRecent
}
