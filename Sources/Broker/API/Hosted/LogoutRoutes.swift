import BrokerStore
import Hummingbird

/// `/oauth/logout`: an app signs its person out (OpenID Connect RP-Initiated Logout).
struct LogoutRoutes: Sendable {
    let pages: HostedPages
    let end: EndSession

    func add(to routes: HostedRoutes) {
        routes.on(.get, OAuthPaths.logout, asked)
        routes.on(.post, OAuthPaths.logout, posted)
        routes.on(.post, "/sign-out", confirmed)
    }

    /// What the question "sign out?" is about.
    struct Form: Codable {
        let sessionID: String?
        let location: String?
    }

    @Sendable
    func asked(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        try await answer(try QueryParameters(queryOf: request), try await pages.visit(request, context))
    }

    /// From an app's page no cookie of ours comes along; the ID token names the session all the same.
    @Sendable
    func posted(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let form = try await FormBody(of: request).parameters
        return try await answer(form, try await pages.visit(request, context, uiLocales: form["ui_locales"]))
    }

    private func answer(_ parameters: QueryParameters, _ visit: Visit) async throws -> Response {
        let asked = try await end.read(Dictionary(parameters.all.map { ($0.name, $0.value) }) { first, _ in first })
        let isTheirs = visit.session.map { $0.user.localID == asked.localID } ?? true
        // Without an ID token of the person's own anybody's page could sign them out.
        guard asked.sessionID != nil, isTheirs else {
            guard visit.session != nil else { return signedOut(visit, asked) }
            let form = try pages.form(
                "/sign-out", .logout, Form(sessionID: visit.session?.session.id, location: asked.location), visit)
            let page = ConfirmPage(
                question: .signOut(app: asked.client?.name), form: form, cancelHref: asked.location ?? "/account")
            return pages.page(page, to: visit, formTargets: [asked.formTarget].compactMap(\.self))
        }
        try await end(asked.sessionID, browser: visit.session, origin: visit.origin)
        return signedOut(visit, asked)
    }

    @Sendable
    func confirmed(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, fields) = try await pages.posted(request, context)
        guard let form: Form = pages.payload(fields["form"], for: .logout, visit),
            visit.session?.session.id == form.sessionID
        else { throw BrokerError.signInAttemptUnknown }
        try await end(nil, browser: visit.session, origin: visit.origin)
        return ended(visit, location: form.location)
    }

    private func signedOut(_ visit: Visit, _ asked: EndSession.Asked) -> Response {
        ended(visit, location: asked.location)
    }

    private func ended(_ visit: Visit, location: String?) -> Response {
        // Another site's post comes without cookies. What it ended is ended; the browser it came by keeps its own.
        guard visit.session != nil else {
            guard let location else { return pages.page(SignedOutPage(signInHref: "/sign-in"), to: visit.unremembered) }
            return pages.redirect(nil, to: location)
        }
        if let location { return pages.redirect(visit, to: location, setting: [pages.forgetSession]) }
        var response = pages.page(SignedOutPage(signInHref: "/sign-in"), to: visit)
        response.headers.append(.init(name: .setCookie, value: pages.forgetSession.header))
        return response
    }
}
