import BrokerStore
import Hummingbird
import ProviderKit

/// The authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2).
struct AuthorizeRoutes: Sendable {
    let pages: HostedPages

    func add(to routes: HostedRoutes) {
        routes.on(.get, OAuthPaths.authorization, authorize)
        routes.on(.post, OAuthPaths.authorization, posted)
    }

    /// A post from a client's page brings none of our cookies; the GET it redirects to does.
    @Sendable
    func posted(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let form = try await FormBody(of: request).parameters
        return pages.redirect(
            nil, to: OAuthPaths.authorization + "?" + FormEncoding.encode(form.all.sorted { $0.name < $1.name }))
    }

    @Sendable
    func authorize(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let parameters = try QueryParameters(queryOf: request)
        var visit = try await pages.visit(request, context)
        let read = try await pages.openID.readAuthorizationRequest(parameters.byName)
        // The user's own choice on the page stands in the address.
        if parameters["ui_locales"] == nil {
            visit.language = pages.languages.first(of: read.uiLocales) ?? visit.language
        }
        switch read.request {
        case .failure(let refusal): return pages.redirect(visit, to: pages.openID.response(refusal, to: read))
        case .success(let valid):
            return try await pages.dispatcher.proceed(
                .requestValidated(valid), of: Interaction(.signIn, then: .authorize(valid)), visit)
        }
    }
}
