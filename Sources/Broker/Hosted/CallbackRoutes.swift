import BrokerStore
import HTTPTypes
import Hummingbird
import OAuth
import ProviderKit

/// The redirect URIs of providers, one path each.
///
/// A provider that posts across sites gets none of our cookies: the response is stored, and the browser fetches it with a
/// GET of its own. So no code of such a provider is ever in a URL.
///
/// A sign-in of an SDK's handler page continues in that page's script.
struct CallbackRoutes: Sendable {
    let pages: HostedPages
    let scripts: ScriptPages

    func add(to routes: HostedRoutes) {
        routes.on(.get, "/oauth/callback/{provider}", returned)
        routes.on(.post, "/oauth/callback/{provider}", posted)
        routes.on(.get, "/oauth/callback/{provider}/continue", fetched)
    }

    @Sendable
    func returned(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let parameters = try QueryParameters(queryOf: request)
        let flow = try await flow(of: parameters["state"])
        if flow == .trial { return try await keepTrial(parameters, isPosted: false, request, context) }
        let provider = try provider(in: context, answeringByPost: false)
        switch flow {
        case .handler: return scripts.handler(.init(step: "resume"), for: request)
        case .console: return redirectToConsole(provider, parameters.all)
        case .pages, .trial: break
        }
        return try await take(parameters.all, of: provider, try await pages.visit(request, context))
    }

    @Sendable
    func posted(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let body = try await FormBody(of: request)
        let flow = try await flow(of: body.parameters["state"])
        if flow == .trial { return try await keepTrial(body.parameters, isPosted: true, request, context) }
        let provider = try provider(in: context, answeringByPost: true)
        if flow == .handler {
            return scripts.handler(
                .init(step: "resume", form: String(decoding: body.bytes, as: UTF8.self)), for: request)
        }
        let response = try AuthorizationResponse(body.parameters.all)
        let handle = try await pages.redirects.attempts.storeResponse(
            body.bytes, state: response.state, from: provider, at: pages.now)
        if flow == .console { return redirectToConsole(provider, [("h", handle)]) }
        let path = "/oauth/callback/\(provider)/continue?" + FormEncoding.encode([("h", handle)])
        // The request brought no cookie, so none is set either: it would replace the browser's own.
        return pages.redirect(nil, to: path)
    }

    @Sendable
    func fetched(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let provider = try provider(in: context, answeringByPost: true)
        guard let handle = try QueryParameters(queryOf: request)["h"] else { throw BrokerError.signInAttemptUnknown }
        let form = try await pages.redirects.attempts.response(under: handle, from: provider, at: pages.now)
        let parameters = try QueryParameters(encoded: form)
        return try await take(parameters.all, of: provider, try await pages.visit(request, context))
    }

    /// The flow that an answer belongs to.
    private enum Flow {
        case pages, handler, console, trial
    }

    private func flow(of state: String?) async throws -> Flow {
        let attempts = pages.redirects.attempts
        guard let state, let name = try await attempts.flow(of: state, at: pages.now) else { return .pages }
        if name == SignInAttempts.Purpose.identityToolkit.name { return .handler }
        if name == SignInAttempts.Purpose.trial.name { return .trial }
        return name == SignInAttempts.Purpose.console.name ? .console : .pages
    }

    /// Keeps the answer of a tried sign-in, also of a disabled entry. The browser that brings it gets no cookie: the
    /// sign-in belongs to the administrator who has the handle.
    private func keepTrial(
        _ parameters: QueryParameters, isPosted: Bool, _ request: Request, _ context: BrokerRequestContext
    ) async throws -> Response {
        guard let id = context.parameters[PathParameter.provider.name], let state = parameters["state"] else {
            throw BrokerError.signInAttemptUnknown
        }
        try await pages.redirects.keepTrialAnswer(
            Array(FormEncoding.encode(parameters.all).utf8), state: state, from: id, isPosted: isPosted)
        let language = pages.languages.language(
            uiLocales: nil, acceptLanguage: request.headers[.acceptLanguage])
        return pages.renderer.response(
            TriedPage(provider: pages.providers.current.displayName(of: id)), language: language)
    }

    /// Hands an answer over to the console, which has the cookie that it is bound to. Nothing of it was consumed.
    private func redirectToConsole(_ provider: String, _ parameters: [(name: String, value: String)]) -> Response {
        pages.redirect(
            nil, to: pages.consoleURL + ConsolePaths.callback(of: provider) + "?" + FormEncoding.encode(parameters))
    }

    private func take(
        _ parameters: [(name: String, value: String)], of provider: String, _ visit: Visit
    ) async throws -> Response {
        RequestAdmission.note(provider: provider)
        let response = try AuthorizationResponse(parameters)
        let finished: (Interaction, BrowserSignInOutcome)
        do {
            finished = try await pages.redirects.finishBrowserSignIn(
                response, by: provider, cookie: { pages.flowCookie(visit, stateHash: $0) }, current: visit.session,
                origin: visit.origin)
        } catch BrokerError.signInAttemptUnknown
            where pages.flowCookie(visit, stateHash: RandomText.hash(of: response.state)) != nil
        {
            // An answer that was taken has removed the cookie; what is refused and not consumed is still open.
            guard try await !pages.redirects.attempts.isOpen(response.state, .browser, at: pages.now) else {
                throw BrokerError.signInAttemptUnknown
            }
            return pages.problem(.expired, to: visit, exit: await pages.exit(after: .expired))
        }
        let (interaction, outcome) = finished
        var visit = visit
        visit.place = .consumed
        // The provider's redirect says nothing of the language that the user had chosen.
        visit.language = interaction.language.flatMap { pages.languages.language(tagged: $0) } ?? visit.language
        var answer = try await answer(to: outcome, of: interaction, visit)
        answer.headers.append(
            .init(name: .setCookie, value: pages.forgetFlow(stateHash: RandomText.hash(of: response.state)).header))
        return answer
    }

    private func answer(
        to outcome: BrowserSignInOutcome, of interaction: Interaction, _ visit: Visit
    ) async throws -> Response {
        guard case .signedIn(let facts, _) = outcome else {
            return try await pages.dispatcher.proceed(.finished(outcome), of: interaction, visit)
        }
        var page: Response
        do {
            page = try await pages.dispatcher.proceed(.finished(outcome), of: interaction, visit)
        } catch {
            // The session has begun, and the one before has ended, whatever becomes of the client's request.
            page = try await HostedRoutes.page(telling: error, to: visit, pages)
        }
        for cookie in [pages.remember(facts.session), pages.remember(provider: facts.session.signInProvider)] {
            page.headers.append(.init(name: .setCookie, value: cookie.header))
        }
        return page
    }

    /// The provider of the path. It answers only by the response mode it was asked with: a code in an address that should
    /// have been posted is in logs too.
    private func provider(
        in context: BrokerRequestContext, answeringByPost: Bool
    ) throws(BrokerError) -> String {
        guard let id = context.parameters[PathParameter.provider.name],
            let asked = pages.providers.current.provider(id)?.provider as? any RedirectSignIn,
            asked.answersByPost == answeringByPost
        else { throw .signInAttemptUnknown }
        return id
    }
}
