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

    /// Asks whether an identity is to be linked; nothing is written before the person says so.
    func confirmLink(
        _ pending: FinishBrowserSignIn.PendingIdentity, to session: SessionFacts, then continuation: Continuation,
        _ visit: Visit
    ) async throws -> Response {
        let user = session.user
        let payload = LinkForm(
            token: pending.token, provider: pending.provider, sessionID: session.session.id, continuation: continuation)
        let page = ConfirmPage(
            question: .link(
                provider: pages.providers.current.displayName(of: pending.provider), person: pending.label,
                account: user.displayName ?? user.email ?? user.localID),
            form: try pages.form("/account/link", .link, payload, visit),
            cancelHref: try skip(continuation, session, visit))
        return pages.page(page, to: visit, formTargets: try await formTargets(of: continuation))
    }

    /// Where somebody goes on who connects nothing.
    private func skip(_ continuation: Continuation, _ session: SessionFacts, _ visit: Visit) throws -> String {
        if case .account = continuation { return "/account" }
        let onward = Onward(continuation: continuation, sessionID: session.session.id)
        return try pages.link("/continue", .goOn, onward, visit)
    }
}
