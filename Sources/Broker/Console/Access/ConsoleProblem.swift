import BrokerStore
import HTTPTypes
import Hummingbird

/// What went wrong at the console, for the one who reads it.
struct ConsoleProblem: Sendable {
    let status: HTTPResponse.Status
    /// The stable code, for the log and the recorded causes.
    let code: String
    let heading: String
    let paragraphs: [String]
    /// Seconds after which another attempt makes sense.
    var retryAfter: Int?

    private init(_ status: HTTPResponse.Status, _ code: String, _ heading: String, _ paragraphs: String...) {
        self.status = status
        self.code = code
        self.heading = heading
        self.paragraphs = paragraphs
    }

    /// The problem of an error; nil for one without a page.
    init?(_ error: any Error) {
        switch error {
        case let refusal as ConsoleRefusal: self.init(refusal)
        case is ForeignRequest, is CookieError: self.init(ConsoleRefusal.notAllowed)
        case let error as ParameterError: self.init(.badRequest, "badRequest", "The form could not be read", error.text)
        case let failure as AdminFailure: self.init(.badRequest, failure.code, "That was not done", failure.message)
        case BrokerError.tooManyAttempts(let seconds):
            self.init(.tooManyRequests, "tooManyRequests", "Too many requests", "Wait a minute, then try again.")
            retryAfter = seconds
        case let error as BrokerError:
            self.init(.badRequest, error.code.rawValue, "The sign-in did not succeed", Self.advice(error))
        case let error as StoreError where !error.isOurs:
            self.init(
                .serviceUnavailable, "storeUnavailable", "The broker cannot reach its store",
                "Nothing was done. Try again in a moment.")
            retryAfter = 5
        default: return nil
        }
    }

    private init(_ refusal: ConsoleRefusal) {
        switch refusal {
        case .roleTooLow(let scope):
            self.init(
                .forbidden, "roleTooLow", "Your role does not allow this",
                scope.map { "It needs a role with the scope \($0.rawValue)." } ?? "It needs another role.")
        case .notAllowed:
            self.init(
                .forbidden, "foreignRequest", "This request did not come from the console",
                "Open the console, and try again there.")
        case .formInvalid:
            self.init(
                .badRequest, "formExpired", "The page was open for too long",
                "You have signed in anew since, or the page is more than an hour old. Nothing was done.",
                "Open the page again, and repeat what you did.")
        case .notFound:
            self.init(.notFound, "notFound", "There is no such page", "The address is wrong, or what it named is gone.")
        case .notAdministrator:
            self.init(
                .forbidden, "notAdministrator", "You are not an administrator here",
                "The provider verified who you are, and this account is not among the console's administrators.")
        case .invitationUsed:
            self.init(
                .badRequest, "invitationUsed", "The invitation is not valid",
                "It was used, or its 15 minutes are over. Run broker console invite on the broker's host for another one."
            )
        case .hasRole:
            self.init(
                .badRequest, "hasRole", "You are an administrator already",
                "The invitation would not raise your role. It still counts, for the one who is meant.")
        case .otherAdministrator:
            self.init(
                .forbidden, "otherAdministrator", "You signed in as someone else",
                "Sign in again with the account with which you opened the console. Nothing was done.")
        case .loginNotRecent:
            self.init(
                .forbidden, "loginNotRecent", "The provider verified no new login",
                "It answered with a login of some time ago. Sign out at the provider, then try again.")
        }
    }

    private static func advice(_ error: BrokerError) -> String {
        switch error.category {
        case .cancelled: "The sign-in was cancelled at the provider. Try again."
        case .providerUnavailable: "The provider does not answer at present. Try again in a few minutes."
        case .providerMisconfigured: "The provider refuses the broker's client. Check the provider's entry."
        case .profileUnusable: "The provider did not show who you are. Check the scopes and claims of its entry."
        case .unknownAttempt, .attemptOfAnother, .endedLogin:
            "It was begun in another browser, it has ended, or its address was opened twice. Begin again."
        default: "The provider's answer could not be used. Begin again."
        }
    }
}

/// The page of a problem.
private struct ConsoleProblemPage: HostedPage {
    let problem: ConsoleProblem
    let requestID: String

    func content(in language: PageLanguage) -> PageContent {
        StatementView(
            symbol: .problem, heading: problem.heading, paragraphs: problem.paragraphs,
            links: [LinkView(ConsolePaths.home, "Open the console", style: "primary")],
            reference: .init(label: language.texts.errorLinks.reference, value: requestID)
        ).page()
    }
}

extension ConsoleAccess {
    /// The page that tells what went wrong.
    func page(telling problem: ConsoleProblem, requestID: String) -> Response {
        RequestAdmission.note(code: problem.code, problem.heading)
        var response = plainPage(ConsoleProblemPage(problem: problem, requestID: requestID), status: problem.status)
        response.headers[.retryAfter] = problem.retryAfter.map(String.init)
        return response
    }
}
