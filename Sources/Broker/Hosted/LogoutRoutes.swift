import BrokerStore
import Hummingbird
import ProviderKit

/// `/oauth/logout`: a client signs its user out (OpenID Connect RP-Initiated Logout).
struct LogoutRoutes: Sendable {
    let pages: HostedPages

    func add(to routes: HostedRoutes) {
        routes.on(.get, OAuthPaths.logout, asked)
        routes.on(.post, OAuthPaths.logout, posted)
        routes.on(.post, "/sign-out", confirmed)
    }

    /// The content of the confirmation's form.
    struct Form: Codable {
        let sessionID: String?
        let location: String?
    }

    @Sendable
    func asked(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        try await answer(try QueryParameters(queryOf: request), try await pages.visit(request, context))
    }

    /// A post from a client's page brings none of our cookies. The session that the ID token names ends all the same; the
    /// GET that follows brings the cookies, and asks about the browser's session.
    @Sendable
    func posted(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let form = try await FormBody(of: request).parameters
        let visit = try await pages.visit(request, context, uiLocales: form["ui_locales"])
        guard visit.session == nil else { return try await answer(form, visit) }
        let asked = try await pages.openID.readLogoutRequest(form.byName)
        if asked.sessionID != nil {
            try await pages.openID.endSession(asked.sessionID, browser: nil, origin: visit.origin)
        }
        // The ID token stays out of addresses.
        var query = form.all.filter { ["post_logout_redirect_uri", "state", "ui_locales"].contains($0.name) }
        if let client = asked.client { query.append(("client_id", client.id)) }
        return pages.redirect(
            nil, to: OAuthPaths.logout + "?" + FormEncoding.encode(query.sorted { $0.name < $1.name }))
    }

    private func answer(_ parameters: QueryParameters, _ visit: Visit) async throws -> Response {
        let asked = try await pages.openID.readLogoutRequest(parameters.byName)
        let isTheirs = visit.session.map { $0.user.localID == asked.localID } ?? true
        // Without an ID token of the user any site could sign the user out.
        guard asked.sessionID != nil, isTheirs else {
            guard visit.session != nil else { return try ended(visit, location: asked.location) }
            let form = try pages.form(
                "/sign-out", .logout, Form(sessionID: visit.session?.session.id, location: asked.location), visit)
            let page = ConfirmPage(
                question: .signOut(app: asked.client?.name), form: form, cancelHref: asked.location ?? "/account")
            return pages.page(page, to: visit, formTargets: [asked.formTarget].compactMap(\.self))
        }
        try await pages.openID.endSession(asked.sessionID, browser: visit.session, origin: visit.origin)
        return try ended(visit, location: asked.location)
    }

    @Sendable
    func confirmed(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, fields) = try await pages.posted(request, context)
        guard let form: Form = pages.payload(fields["form"], for: .logout, visit),
            visit.session?.session.id == form.sessionID
        else { throw BrokerError.signInAttemptUnknown }
        try await pages.openID.endSession(nil, browser: visit.session, origin: visit.origin)
        return try ended(visit, location: form.location)
    }

    private func ended(_ visit: Visit, location: String?) throws -> Response {
        var response =
            if let location { pages.redirect(visit, to: location) } else {
                try pages.redirect(visit, to: .signedOut)
            }
        if visit.session != nil {
            response.headers.append(.init(name: .setCookie, value: pages.forgetSession.header))
        }
        return response
    }
}
