import BrokerStore
import Hummingbird
import ProviderKit

/// The authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2): where an app sends its person's browser.
struct AuthorizeRoutes: Sendable {
    let pages: HostedPages
    let journey: Journey

    func add(to routes: HostedRoutes) {
        routes.on(.get, "/oauth/authorize", authorize)
        routes.on(.post, "/oauth/authorize", posted)
    }

    /// A post from an app's page brings no cookie of ours along; the browser comes again with a GET, and brings them.
    @Sendable
    func posted(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let form = try await FormBody(of: request).parameters
        return pages.redirect(nil, to: "/oauth/authorize?" + FormEncoding.encode(form.all.sorted { $0.name < $1.name }))
    }

    @Sendable
    func authorize(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let parameters = try QueryParameters(queryOf: request)
        var visit = try await pages.visit(request, context)
        let asked = try await journey.authorize.read(parameters.byName)
        // The person's own choice on the page stands in the address.
        if parameters["ui_locales"] == nil {
            visit.language = PageLanguage.first(of: asked.uiLocales) ?? visit.language
        }
        switch asked.request {
        case .failure(let refusal): return pages.redirect(visit, to: journey.authorize.refuse(refusal, asked))
        case .success(let wanted): return try await answer(wanted, asked, visit)
        }
    }

    private func answer(
        _ request: AuthorizationRequest, _ asked: Authorize.Asked, _ visit: Visit
    ) async throws -> Response {
        let continuation = Continuation.authorize(request)
        switch journey.authorize.decide(request, visit.session) {
        case .refuse(let refusal): return pages.redirect(visit, to: journey.authorize.refuse(refusal, asked))
        case .grant:
            guard let session = visit.session else { throw BrokerError.signInAttemptUnknown }
            if request.wants(.none), try await journey.authorize.asksFirst(request) {
                let refusal = AuthorizationRefusal(.interactionRequired, "The person has to be asked first.")
                return pages.redirect(visit, to: journey.authorize.refuse(refusal, asked))
            }
            return try await journey.goOn(continuation, as: session, visit)
        case .depart(let provider):
            let browser = BrowserRequest(.signIn, then: continuation)
            do {
                return try await journey.depart(.init(provider: provider, request: browser), visit)
            } catch let error as BrokerError {
                return try await refuse(error, of: provider, request, asked, visit)
            }
        case .choose(let isReauthentication):
            return try await journey.choose(
                BrowserRequest(.signIn, then: continuation), visit, notice: isReauthentication ? .signInAgain : nil,
                only: isReauthentication ? visit.session?.identities.map(\.provider) : nil)
        case .ask(let choosesAccount):
            guard let session = visit.session else { throw BrokerError.signInAttemptUnknown }
            guard choosesAccount else { return try await journey.confirm(request, session, visit) }
            return try await journey.choose(
                BrowserRequest(.signIn, then: continuation), visit, knows: session)
        }
    }

    /// The app named a provider the browser cannot be sent to.
    private func refuse(
        _ error: BrokerError, of provider: String, _ request: AuthorizationRequest, _ asked: Authorize.Asked,
        _ visit: Visit
    ) async throws -> Response {
        switch error {
        case .unknownProvider, .operationNotAllowed:
            let refusal = AuthorizationRefusal(.invalidRequest, "provider names none that people are sent to.")
            return pages.redirect(visit, to: journey.authorize.refuse(refusal, asked))
        default:
            let browser = BrowserRequest(.signIn, then: .authorize(request))
            return try await journey.failed(error, browser, at: provider, visit)
        }
    }
}
