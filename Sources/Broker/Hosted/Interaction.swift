import BrokerStore
import HTTPTypes
import Hummingbird
import ProviderKit

/// A page that a form or a provider's answer leads to, sealed into an address of its own (`/interaction?form=…`).
///
/// Provider answers and forms are consumed once; a page at their address could be neither reloaded nor read in another
/// language. So they redirect here (POST, redirect, GET), and what is shown follows from the address alone.
enum Interaction: Codable, Sendable {
    /// The chooser.
    case choose(Choice)
    /// Asks whether an identity is to be linked.
    case link(Journey.LinkForm, label: String)
    /// Asks whether an app may know the user.
    case consent(AuthorizationRequest, sessionID: String)
    /// Asks once more before something happens to the account.
    case account(AccountQuestion)
    case problem(Problem)
    /// A link that could not be made; the user goes on to what waits for them.
    case linkRefused(ErrorPage.Cause, then: Continuation, sessionID: String, requestID: String)
    /// The end of a device authorization.
    case device(isAllowed: Bool)
    /// The end of a sign-in that a terminal waits for.
    case proven(provider: String, label: String)
    case signedOut

    /// What the user chooses a provider for.
    struct Choice: Codable, Sendable {
        var request: BrowserRequest
        var notice: ChooserPage.Notice?
        /// The ids of the providers that will do; `nil` for all.
        var only: [String]?
    }

    /// A question of the account page.
    struct AccountQuestion: Codable, Sendable {
        enum Operation: Codable, Sendable {
            case unlink(provider: String)
            case signOutEverywhere, delete
        }

        let operation: Operation
        let sessionID: String
    }

    /// What went wrong, in the request that is to be looked up.
    struct Problem: Codable, Sendable {
        let cause: ErrorPage.Cause
        let exit: ErrorPage.Exit?
        let requestID: String
        let status: Int
    }
}

extension HostedPages {
    static let interactionPath = "/interaction"

    /// The address of an interaction, for this browser.
    func address(of interaction: Interaction, _ visit: Visit) throws -> String {
        try link(Self.interactionPath, .interaction, interaction, visit)
    }

    /// Redirects the browser to an interaction, in the language of the visit.
    func redirect(_ visit: Visit, to interaction: Interaction) throws -> Response {
        let language = FormEncoding.encode([("ui_locales", visit.language.rawValue)])
        return redirect(visit, to: try address(of: interaction, visit) + "&" + language)
    }

    /// Says what went wrong: at the address of the request where it can be repeated, else at one of its own.
    ///
    /// The answer to a form keeps its status; the answer to a provider's redirect is consumed and redirects.
    func problem(
        _ cause: ErrorPage.Cause, to visit: Visit, status: HTTPResponse.Status = .badRequest,
        exit: ErrorPage.Exit? = nil
    ) -> Response {
        let problem = Interaction.Problem(
            cause: cause, exit: exit, requestID: visit.requestID, status: status.code)
        // Sealing fails for lack of memory only; the page itself matters more than its other languages.
        let address = visit.place == .own ? visit.target : try? self.address(of: .problem(problem), visit)
        if visit.place == .consumed, let response = try? redirect(visit, to: .problem(problem)) { return response }
        return page(problem, to: visit, at: address)
    }

    func page(_ problem: Interaction.Problem, to visit: Visit, at address: String?) -> Response {
        page(
            ErrorPage(cause: problem.cause, requestID: problem.requestID, exit: problem.exit), to: visit,
            status: .init(code: problem.status), at: address)
    }
}
