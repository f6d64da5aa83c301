import BrokerStore
import Hummingbird
import ProviderKit

/// The pages between a browser and a provider: choosing one, going there, going on.
struct SignInPageRoutes: Sendable {
    let pages: HostedPages
    let journey: Journey

    func add(to routes: HostedRoutes) {
        routes.on(.get, "/sign-in", signIn)
        routes.on(.get, "/depart", depart)
        routes.on(.get, "/continue", goOn)
        routes.on(.post, "/continue", confirm)
    }

    /// For people without an app: they end at their account.
    @Sendable
    func signIn(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let visit = try await pages.visit(request, context)
        if visit.session != nil { return pages.redirect(visit, to: "/account") }
        return try await journey.choose(BrowserRequest(.signIn, then: .account), visit)
    }

    @Sendable
    func depart(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let visit = try await pages.visit(request, context)
        let form = try QueryParameters(queryOf: request)["form"]
        guard let departure: Journey.Departure = pages.payload(form, for: .depart, visit) else {
            return pages.problem(.attemptUnknownOrUsed, to: visit, exit: .startAgain(href: "/sign-in"))
        }
        do {
            return try await journey.depart(departure, visit)
        } catch let error as BrokerError where error != .storeUnavailable {
            return try await journey.failed(error, departure.request, at: departure.provider, visit)
        }
    }

    @Sendable
    func goOn(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let visit = try await pages.visit(request, context)
        return try await goOn(try QueryParameters(queryOf: request)["form"], visit, isConfirmed: false)
    }

    @Sendable
    func confirm(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, form) = try await pages.posted(request, context)
        return try await goOn(form["form"], visit, isConfirmed: true)
    }

    private func goOn(_ form: String?, _ visit: Visit, isConfirmed: Bool) async throws -> Response {
        guard let onward: Journey.Onward = pages.payload(form, for: .goOn, visit) else {
            return pages.problem(.attemptUnknownOrUsed, to: visit, exit: .startAgain(href: "/sign-in"))
        }
        if onward.declines {
            guard case .authorize(let request) = onward.continuation else {
                return pages.redirect(visit, to: "/account")
            }
            let refusal = AuthorizationRefusal(.accessDenied, "The person declined.")
            return pages.redirect(visit, to: try await journey.authorize.refuse(refusal, request))
        }
        if onward.switchesAccount == true {
            var request = BrowserRequest(.signIn, then: onward.continuation)
            request.asksAnew = true
            return try await journey.choose(request, visit)
        }
        guard let session = visit.session, session.session.id == onward.sessionID else {
            return pages.problem(.attemptUnknownOrUsed, to: visit, exit: .startAgain(href: "/sign-in"))
        }
        return try await journey.goOn(onward.continuation, as: session, visit, isConfirmed: isConfirmed)
    }
}
