import BrokerStore
import Hummingbird

extension Journey {
    /// What the question "connect this?" is about.
    struct LinkForm: Codable {
        let token: String
        let provider: String
        let sessionID: String
        let continuation: Continuation
    }

    /// Asks whether an identity is to be linked, once it is clear that it could be; nothing is written before the user
    /// says so.
    func confirmLink(
        _ pending: FinishBrowserSignIn.PendingIdentity, to session: SessionFacts, then continuation: Continuation,
        _ visit: Visit
    ) async throws -> Response {
        if let error = try await link.objection(to: pending.token, for: session.user.localID) {
            return try await refuseLink(error, of: pending.provider, as: session, then: continuation, visit)
        }
        let form = LinkForm(
            token: pending.token, provider: pending.provider, sessionID: session.session.id, continuation: continuation)
        return try await present(.link(form, label: pending.label), as: session, visit)
    }

    /// The question of ``confirmLink(_:to:then:_:)``.
    func linkQuestion(
        _ payload: LinkForm, _ label: String, _ session: SessionFacts, _ visit: Visit
    ) async throws -> Response {
        let user = session.user
        let page = ConfirmPage(
            question: .link(
                provider: pages.providers.current.displayName(of: payload.provider), person: label,
                account: user.displayName ?? user.email ?? user.localID),
            form: try pages.form("/account/link", .link, payload, visit),
            cancelHref: try skip(payload.continuation, session, visit))
        return pages.page(page, to: visit, formTargets: try await formTargets(of: payload.continuation))
    }

    /// Says why an identity is not linked, with the way on to what waits for the user.
    func refuseLink(
        _ error: BrokerError, of provider: String, as session: SessionFacts, then continuation: Continuation,
        _ visit: Visit
    ) async throws -> Response {
        await recordRefusal(error, at: provider, origin: visit.origin)
        let name = pages.providers.current.displayName(of: provider)
        let refused = Interaction.linkRefused(
            ErrorPage.Cause(error, provider: name), then: continuation, sessionID: session.session.id,
            requestID: visit.requestID)
        return try await present(refused, as: session, visit)
    }

    /// Where somebody goes on who connects nothing.
    private func skip(_ continuation: Continuation, _ session: SessionFacts, _ visit: Visit) throws -> String {
        if case .account = continuation { return "/account" }
        let onward = Onward(continuation: continuation, sessionID: session.session.id)
        return try pages.link("/continue", .goOn, onward, visit)
    }
}
