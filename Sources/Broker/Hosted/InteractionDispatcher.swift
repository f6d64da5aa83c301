import BrokerStore
import Hummingbird
import ProviderKit

/// Continues an interaction after each of its steps: takes what the step came to, decides what follows
/// (``InteractionDecision``), and does that. Routes return to it and never call one another.
struct InteractionDispatcher: Sendable {
    let pages: HostedPages

    private var openID: OpenIDContext { pages.openID }

    /// Decides what follows a step, and does it.
    ///
    /// - Parameters:
    ///   - result: What the step came to.
    ///   - interaction: The interaction the step belongs to.
    ///   - visit: The browser's request.
    /// - Returns: The next page or redirect.
    /// - Throws: A store's error, or one that ``HostedRoutes`` has a page for.
    func proceed(_ result: StepResult, of interaction: Interaction, _ visit: Visit) async throws -> Response {
        var result = result
        var interaction = interaction
        // A step that follows at once, without the browser, returns to the decision.
        while true {
            note(result, of: interaction)
            switch try await decide(result, interaction, visit) {
            case .show(let page): return try await pages.shown.present(page, visit)
            case .showProblem(let cause, let exit):
                let registered = await pages.exit(after: cause, of: interaction.clientID)
                return pages.problem(cause, to: visit, exit: exit ?? registered)
            case .redirect(let address): return pages.redirect(visit, to: address)
            case .refuse(let refusal, let request):
                return pages.redirect(visit, to: try await openID.response(refusal, to: request))
            case .redirectToProvider(let chosen):
                do {
                    return try await redirect(visit, chosen)
                } catch let error as BrokerError {
                    (result, interaction) = (.redirectFailed(error), chosen)
                }
            case .issueCode(let request, let session, let isConfirmed):
                do {
                    return pages.redirect(visit, to: try await openID.issueAuthorizationCode(for: request, in: session))
                } catch let refusal as OAuthError {
                    result = .codeRefused(refusal, request, session, isConfirmed: isConfirmed)
                }
            case .issueLinkCode(let request, let pending):
                return pages.redirect(
                    visit, to: try await openID.issueLinkCode(for: request, pendingToken: pending.token))
            case .checkLink(let asked, let session, let label):
                let refusal = try await pages.accounts.linkRefusal(
                    of: asked.pendingToken ?? "", for: session.user.localID)
                (result, interaction) = (refusal.map(StepResult.linkRefused) ?? .linkAllowed(label: label), asked)
            case .approveDevice(let userCode, let pending): return try await approveDevice(userCode, pending, visit)
            }
        }
    }

    private func decide(_ result: StepResult, _ interaction: Interaction, _ visit: Visit) async throws -> NextStep {
        InteractionDecision(
            interaction: interaction, session: visit.session, requiresConsent: try await requiresConsent(interaction),
            providers: pages.providers.current, recentLogin: pages.sessions.recentLogin, now: pages.now,
            requestID: visit.requestID
        ).next(after: result)
    }

    /// A client's request requires consent if it says so, if it is for control of the account, or if any program on the
    /// user's machine could have sent it in the client's name (RFC 8252 §8.6).
    private func requiresConsent(_ interaction: Interaction) async throws -> Bool {
        guard case .authorize(let request) = interaction.continuation else { return false }
        if request.wants(.consent) || request.scopes.contains(Scope.account.rawValue) { return true }
        let client = try await openID.clients.client(id: request.clientID)
        return client?.kind == .native && !request.redirectURI.utf8.starts(with: "https:".utf8)
    }

    /// Redirects the user agent to the provider.
    ///
    /// A pushed request is consumed by its code: until then the user may choose another provider. A request for a link is
    /// consumed here, since its identity waits from then on.
    private func redirect(_ visit: Visit, _ interaction: Interaction) async throws -> Response {
        var interaction = interaction
        interaction.language = interaction.language ?? visit.language.tag
        let started = try await pages.redirects.startBrowserSignIn(interaction)
        if case .authorize(let request) = interaction.continuation, request.wants(.link) {
            try await openID.consume(request)
        }
        return pages.redirect(visit, started)
    }

    /// Brings a command the identity it waits for.
    private func approveDevice(
        _ userCode: String, _ pending: PendingIdentity, _ visit: Visit
    ) async throws -> Response {
        guard let code = UserCode(typed: userCode) else { throw BrokerError.signInAttemptUnknown }
        guard try await openID.approveDevice(code, with: pending) else {
            return try pages.shown.deviceEntry(visit, .expired)
        }
        return try pages.redirect(visit, to: .proven(provider: pending.provider, label: pending.label))
    }

    /// Notes what the request is about, and why a step failed.
    private func note(_ result: StepResult, of interaction: Interaction) {
        // A client's request may name any provider.
        if let provider = interaction.provider.flatMap(pages.providers.current.provider) {
            RequestAdmission.note(provider: provider.id)
        }
        if let client = interaction.clientID { RequestAdmission.note(clientID: client) }
        switch result {
        case .finished(.failed(let error)), .linkRefused(let error), .redirectFailed(let error):
            RequestAdmission.note(error)
        case .requestValidated, .sessionRequired, .providerChosen, .answered, .finished, .codeRefused,
            .otherLoginRequired, .linkAllowed, .linked, .loginTooOld:
            break
        }
    }
}
