import BrokerStore
import HTTPTypes
import Hummingbird
import ProviderKit

/// A page with an address of its own, sealed into that address (`/interaction?form=…`).
///
/// Provider answers and forms are consumed once, so a page at their address could be neither reloaded nor read in another
/// language. They redirect here (POST, redirect, GET), and the address alone says which page is shown.
enum PageRequest: Codable, Sendable {
    /// The chooser, with the ids of the providers to choose from; `nil` for all.
    case chooser(Interaction, ChooserPage.Notice?, providers: [String]?)
    /// Asks whether an identity is to be linked. The label is the user's name at the provider.
    case linkQuestion(Interaction, label: String)
    /// Asks whether two accounts are to be merged, or a merge to be undone.
    case mergeQuestion(Interaction)
    /// Asks whether a client may know the user.
    case consent(Interaction)
    /// A link that could not be made, with a link to the interaction's continuation.
    case linkRefused(Interaction, ErrorPage.Cause, requestID: String)
    /// Asks for a confirmation of an operation on the account.
    case account(AccountQuestion)
    case problem(Problem)
    /// The end of a device authorization.
    case device(isAllowed: Bool)
    /// The end of a terminal's sign-in.
    case proven(provider: String, label: String)
    case signedOut
    /// The user's account was deleted; `account` is its address or name.
    case deleted([WithdrawalPart], account: String?)

    /// A question of the account page.
    struct AccountQuestion: Codable, Sendable {
        enum Operation: Codable, Sendable {
            case unlink(provider: String)
            case signOutEverywhere, delete
        }

        let operation: Operation
        let sessionID: String
    }

    /// A failure, with the id of its request in the log.
    struct Problem: Codable, Sendable {
        let cause: ErrorPage.Cause
        let exit: ErrorPage.Exit?
        let requestID: String
        let status: Int
    }

    /// The interaction that the page belongs to.
    var interaction: Interaction? {
        switch self {
        case .chooser(let interaction, _, _), .linkQuestion(let interaction, _), .consent(let interaction),
            .linkRefused(let interaction, _, _), .mergeQuestion(let interaction):
            interaction
        case .account, .problem, .device, .proven, .signedOut, .deleted: nil
        }
    }

    /// Whether the page may be shown in this session: a question about a session is asked in that session only.
    func isShown(in session: SessionFacts?) -> Bool {
        switch self {
        case .linkQuestion(let interaction, _), .consent(let interaction), .linkRefused(let interaction, _, _),
            .mergeQuestion(let interaction):
            session != nil && session?.session.id == interaction.sessionID
        case .account(let question): session?.session.id == question.sessionID
        case .chooser, .problem, .device, .proven, .signedOut, .deleted: true
        }
    }
}

extension HostedPages {
    static let interactionPath = "/interaction"

    /// Redirects the browser to a page's own address, in the language of the visit.
    func redirect(_ visit: Visit, to page: PageRequest) throws -> Response {
        let language = FormEncoding.encode([("ui_locales", visit.language.tag)])
        return redirect(visit, to: try address(of: page, visit) + "&" + language)
    }

    private func address(of page: PageRequest, _ visit: Visit) throws -> String {
        try link(Self.interactionPath, .page, page, visit)
    }

    /// Shows what went wrong: at the address of the request where it can be repeated, else at an address of its own.
    ///
    /// The answer to a form keeps its status; the answer to a provider's redirect is consumed and redirects.
    func problem(
        _ cause: ErrorPage.Cause, to visit: Visit, status: HTTPResponse.Status = .badRequest,
        exit: ErrorPage.Exit? = nil
    ) -> Response {
        RequestAdmission.note(code: cause.code, cause.developerText)
        let problem = PageRequest.Problem(
            cause: cause, exit: exit ?? home, requestID: visit.requestID, status: status.code)
        // Sealing fails for lack of memory only; the page itself matters more than its other languages.
        let address = visit.place == .own ? visit.target : try? self.address(of: .problem(problem), visit)
        if visit.place == .consumed, let response = try? redirect(visit, to: .problem(problem)) { return response }
        return page(problem, to: visit, at: address)
    }

    func page(_ problem: PageRequest.Problem, to visit: Visit, at address: String?) -> Response {
        page(
            ErrorPage(cause: problem.cause, requestID: problem.requestID, exit: problem.exit),
            to: visit,
            status: .init(code: problem.status), at: address)
    }
}
