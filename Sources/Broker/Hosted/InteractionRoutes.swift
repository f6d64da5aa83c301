import BrokerStore
import Hummingbird
import ProviderKit

/// `/interaction`: shows what a form or a provider's answer has led to (``Interaction``). Shows and asks; decides nothing.
struct InteractionRoutes: Sendable {
    let pages: HostedPages
    let journey: Journey
    let account: AccountAtPages

    func add(to routes: HostedRoutes) {
        routes.on(.get, HostedPages.interactionPath, show)
    }

    @Sendable
    func show(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let visit = try await pages.visit(request, context)
        let form = try QueryParameters(queryOf: request)["form"]
        if let problem = pages.anonymousProblem(form) { return pages.page(problem, to: visit, at: visit.target) }
        guard let interaction: Interaction = pages.payload(form, for: .interaction, visit),
            isShownHere(interaction, visit)
        else { return pages.problem(.attemptUnknownOrUsed, to: visit, exit: .startAgain(href: "/sign-in")) }
        switch interaction {
        case .account(let question):
            guard let session = visit.session else { throw BrokerError.signInAttemptUnknown }
            return try await account.ask(question, session, visit)
        case .device(let isAllowed): return pages.page(DevicePage(state: isAllowed ? .done : .denied), to: visit)
        case .proven(let provider, let label):
            return pages.page(
                DonePage(provider: pages.providers.current.displayName(of: provider), person: label), to: visit)
        case .signedOut: return pages.page(SignedOutPage(signInHref: "/sign-in"), to: visit)
        case .problem(let problem): return pages.page(problem, to: visit, at: visit.target)
        case .choose, .link, .consent, .linkRefused: return try await journey.show(interaction, visit.session, visit)
        }
    }

    /// A question about a session is asked in that session only.
    private func isShownHere(_ interaction: Interaction, _ visit: Visit) -> Bool {
        switch interaction {
        case .link(let form, _): visit.session?.session.id == form.sessionID
        case .consent(_, let sessionID): visit.session?.session.id == sessionID
        case .account(let question): visit.session?.session.id == question.sessionID
        case .linkRefused(_, _, let sessionID, _): visit.session?.session.id == sessionID
        case .choose, .problem, .device, .proven, .signedOut: true
        }
    }
}
