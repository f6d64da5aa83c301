import BrokerStore
import Hummingbird
import ProviderKit

/// `/interaction`: shows the page that stands in the address (``PageRequest``). Shows and asks; decides nothing.
struct InteractionRoutes: Sendable {
    let pages: HostedPages

    func add(to routes: HostedRoutes) {
        routes.on(.get, HostedPages.interactionPath, show)
    }

    @Sendable
    func show(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let visit = try await pages.visit(request, context)
        let form = try QueryParameters(queryOf: request)["form"]
        if let problem = pages.anonymousProblem(form) { return pages.page(problem, to: visit, at: visit.target) }
        guard let page: PageRequest = pages.payload(form, for: .page, visit), page.isShown(in: visit.session) else {
            let expired: PageRequest? = pages.expired(form, for: .page, visit)
            return await pages.invalidForm(expired?.interaction, visit)
        }
        return try await pages.shown.show(page, visit)
    }
}
