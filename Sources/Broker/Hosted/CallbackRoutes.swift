import BrokerStore
import HTTPTypes
import Hummingbird
import ProviderKit

/// Where providers send browsers back to, each by a path of its own.
///
/// A provider that posts across sites gets no cookie of ours: what it posted is kept, and the browser comes for it with a
/// GET of its own. So no code of such a provider is ever in a URL.
///
/// What an SDK's handler page has begun goes on with that page's script, in whose window the rest waits.
struct CallbackRoutes: Sendable {
    let pages: HostedPages
    let scripts: ScriptPages
    let journey: Journey
    let attempts: SignInAttempts
    let finish: FinishBrowserSignIn
    let linkForClient: LinkForClient
    let device: DeviceRoutes

    func add(to routes: HostedRoutes) {
        routes.on(.get, "/oauth/callback/{provider}", returned)
        routes.on(.post, "/oauth/callback/{provider}", posted)
        routes.on(.get, "/oauth/callback/{provider}/continue", fetched)
    }

    @Sendable
    func returned(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let provider = try provider(in: context, answeringByPost: false)
        let parameters = try QueryParameters(queryOf: request)
        if try await isOfHandler(parameters["state"]) { return scripts.handler(.init(step: "resume"), for: request) }
        return try await take(parameters.all, of: provider, try await pages.visit(request, context))
    }

    @Sendable
    func posted(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let provider = try provider(in: context, answeringByPost: true)
        let body = try await FormBody(of: request)
        if try await isOfHandler(body.parameters["state"]) {
            return scripts.handler(
                .init(step: "resume", form: String(decoding: body.bytes, as: UTF8.self)), for: request)
        }
        let response = try AuthorizationResponse(body.parameters.all)
        let handle = try await attempts.keepResponse(
            body.bytes, state: response.state, from: provider, at: Timestamp(pages.now()))
        let path = "/oauth/callback/\(provider)/continue?" + FormEncoding.encode([("h", handle)])
        // No cookie came along, so none is set either: it would take the place of the browser's own.
        return pages.redirect(nil, to: path)
    }

    @Sendable
    func fetched(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let provider = try provider(in: context, answeringByPost: true)
        guard let handle = try QueryParameters(queryOf: request)["h"] else { throw BrokerError.signInAttemptUnknown }
        let form = try await attempts.response(under: handle, from: provider, at: Timestamp(pages.now()))
        let parameters = try QueryParameters(encoded: form)
        return try await take(parameters.all, of: provider, try await pages.visit(request, context))
    }

    private func isOfHandler(_ state: String?) async throws -> Bool {
        guard let state else { return false }
        return try await attempts.purpose(of: state, at: Timestamp(pages.now())) == .identityToolkit
    }

    private func take(
        _ parameters: [(name: String, value: String)], of provider: String, _ visit: Visit
    ) async throws -> Response {
        let response = try AuthorizationResponse(parameters)
        let back = try await finish(
            response, by: provider, cookie: { pages.flowCookie(visit, stateHash: $0) }, current: visit.session,
            origin: visit.origin)
        var visit = visit
        visit.place = .consumed
        // The provider's link back says nothing of the language the person had chosen.
        visit.language = back.request.language.flatMap(PageLanguage.init(rawValue:)) ?? visit.language
        let used = pages.forgetFlow(stateHash: RandomText.hash(of: response.state))
        var answer: Response
        switch back.result {
        case .failure(let error): answer = try await journey.failed(error, back.request, at: back.provider, visit)
        case .success(let outcome): answer = try await goOn(with: outcome, back.request, visit)
        }
        answer.headers.append(.init(name: .setCookie, value: used.header))
        return answer
    }

    private func goOn(
        with outcome: FinishBrowserSignIn.Outcome, _ request: BrowserRequest, _ visit: Visit
    ) async throws -> Response {
        switch outcome {
        case .signedIn(let facts, let linkable):
            var page: Response
            do {
                page = try await goOn(as: facts, linkable, request, visit)
            } catch {
                // The session has begun, and the one before has ended, whatever becomes of the app's request.
                page = try HostedRoutes.page(telling: error, to: visit, pages)
            }
            page.headers.append(.init(name: .setCookie, value: pages.remember(facts.session).header))
            return page
        case .needConfirmation(let pending, let ways):
            var again = BrowserRequest(.signIn, then: request.continuation)
            again.pendingToken = pending.token
            let directory = pages.providers.current
            let usable = ways?.filter { directory.provider($0)?.hasPage == true } ?? []
            return try await journey.choose(
                again, visit,
                notice: .accountExists(
                    provider: directory.displayName(of: pending.provider), ways: usable.map(directory.displayName)),
                only: usable.isEmpty ? nil : usable)
        case .confirmLink(let pending):
            guard let session = visit.session else { throw BrokerError.signInAttemptOfAnother }
            return try await journey.confirmLink(pending, to: session, then: request.continuation, visit)
        case .linkForClient(let pending):
            guard case .authorize(let asked) = request.continuation else { throw BrokerError.signInAttemptUnknown }
            return pages.redirect(visit, to: try await linkForClient.answer(asked, with: pending.token))
        case .proven(let pending): return try await device.bring(pending, request, visit)
        }
    }

    /// Where somebody goes who has just signed in.
    private func goOn(
        as facts: SessionFacts, _ linkable: FinishBrowserSignIn.PendingIdentity?, _ request: BrowserRequest,
        _ visit: Visit
    ) async throws -> Response {
        // Where a provider proves nothing new, the same question would come again and again.
        if request.intent == .reauthenticate, !journey.isRecent(facts, for: .delete), !request.isForApp {
            let name = pages.providers.current.displayName(of: facts.session.signInProvider)
            return pages.problem(.providerRefused(name), to: visit, exit: .account(href: "/account"))
        }
        guard let linkable else { return try await journey.goOn(request.continuation, as: facts, visit) }
        return try await journey.confirmLink(linkable, to: facts, then: request.continuation, visit)
    }

    /// The provider of the path. It answers by the response mode it was asked with only: a code that should have been
    /// posted has been in an address, and so in logs.
    private func provider(
        in context: BrokerRequestContext, answeringByPost: Bool
    ) throws(BrokerError) -> String {
        guard let id = context.parameters.get("provider"),
            let asked = pages.providers.current.provider(id)?.provider as? any RedirectSignIn,
            asked.answersByPost == answeringByPost
        else { throw .signInAttemptUnknown }
        return id
    }
}
