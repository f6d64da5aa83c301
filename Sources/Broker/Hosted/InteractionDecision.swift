import BrokerStore
import ProviderKit

/// The result of one step of an interaction. A step names no other step: ``InteractionDispatcher`` continues from here.
enum StepResult: Sendable {
    /// The authorization endpoint validated a client's request.
    case requestValidated(AuthorizationRequest)
    /// A page requires a browser session, and there is none.
    case sessionRequired
    /// The user chose the interaction's provider.
    case providerChosen
    /// The user followed a link or sent the form of ``Interaction/choice``.
    case answered(isConfirmed: Bool)
    /// The redirect to the provider could not be prepared.
    case redirectFailed(BrokerError)
    /// A merge or its undo requires a login to the other account, with one of these providers, or any.
    case otherLoginRequired(from: [String]?)
    case finished(BrowserSignInOutcome)
    /// The session does not satisfy the client's request.
    case codeRefused(OAuthError, AuthorizationRequest, SessionFacts, isConfirmed: Bool)
    /// The identity of the pending token can be linked once the user has confirmed it.
    case linkAllowed(label: String)
    case linked(SessionFacts)
    case linkRefused(BrokerError)
    /// The session's login is too old for what the user asked.
    case loginTooOld(SessionFacts)
}

/// The continuation after a step of an interaction.
enum NextStep: Sendable {
    case show(PageRequest)
    /// Without an exit it is the registered page of the client that waits, or the site's.
    case showProblem(ErrorPage.Cause, ErrorPage.Exit?)
    /// Redirects the user agent to the interaction's provider.
    case redirectToProvider(Interaction)
    /// Redirects the user agent to a page of the broker.
    case redirect(to: String)
    case issueCode(AuthorizationRequest, SessionFacts, isConfirmed: Bool)
    case issueLinkCode(AuthorizationRequest, PendingIdentity)
    case refuse(OAuthError, AuthorizationRequest)
    /// Checks whether an identity could be linked, before the user is asked.
    case checkLink(Interaction, SessionFacts, label: String)
    case approveDevice(userCode: String, PendingIdentity)
}

/// Decides what follows a step of an interaction: values in, decision out.
struct InteractionDecision: Sendable {
    let interaction: Interaction
    /// The browser's session at the hosted pages.
    let session: SessionFacts?
    /// Whether the client's request requires the user's consent.
    let requiresConsent: Bool
    let providers: ProviderDirectory
    let recentLogin: RecentLogin
    let now: Timestamp
    let requestID: String

    func next(after result: StepResult) -> NextStep {
        switch result {
        case .requestValidated(let request): return authorize(request)
        case .sessionRequired: return choose(interaction)
        case .providerChosen: return redirectToProvider()
        case .answered(let isConfirmed): return answer(isConfirmed: isConfirmed)
        case .redirectFailed(let error): return failure(error, isOfRedirect: true)
        case .otherLoginRequired(let providers):
            return .show(.chooser(interaction, .otherAccount, providers: providers))
        case .finished(let outcome): return finish(outcome)
        case .codeRefused(let refusal, let request, let session, let isConfirmed):
            return codeRefused(refusal, request, session, isConfirmed: isConfirmed)
        case .linkAllowed(let label): return .show(.linkQuestion(interaction, label: label))
        case .linked(let session): return resume(in: session, isLinked: true)
        case .linkRefused(let error):
            let name = providers.displayName(of: interaction.provider ?? "")
            return .show(
                .linkRefused(interaction, ErrorPage.Cause(error, provider: name), requestID: requestID))
        case .loginTooOld(let session): return loginAgain(session)
        }
    }

    /// OpenID Connect Core §3.1.2.3 to §3.1.2.6.
    private func authorize(_ request: AuthorizationRequest) -> NextStep {
        if request.wants(.link), let provider = request.provider { return redirect(to: provider) }
        let isExpected = session.map { request.expects($0.user) } ?? false
        let isFresh =
            session.map { session in
                request.isSatisfied(byLoginAt: session.session.authTime, at: now) && request.accepts(session.session)
            } ?? false
        guard let session, isExpected, isFresh else {
            if request.wants(.none) { return .refuse(.init(.loginRequired, "The user has to sign in."), request) }
            if let provider = request.provider { return redirect(to: provider) }
            guard let session, isExpected else { return choose(interaction) }
            return choose(interaction, .signInAgain, from: session.identities.map(\.provider))
        }
        if let provider = request.provider, !provider.hasSameBytes(as: session.session.signInProvider) {
            guard request.wants(.none) else { return redirect(to: provider) }
            return .refuse(.init(.interactionRequired, "The user signed in with another provider."), request)
        }
        if request.wants(.selectAccount) { return choose(interaction, offering: session) }
        if request.wants(.consent) { return consent(in: session) }
        if request.wants(.none), requiresConsent {
            return .refuse(.init(.interactionRequired, "The user has to consent first."), request)
        }
        return resume(in: session)
    }

    private func redirectToProvider() -> NextStep {
        guard interaction.goal == .link || interaction.goal == .merge else { return .redirectToProvider(interaction) }
        guard let session, session.session.id == interaction.sessionID else {
            return failure(.signInAttemptOfAnother, isOfRedirect: true)
        }
        let isProven =
            interaction.goal == .link
            ? isRecent(session, for: .link)
            : (try? recentLogin.requireForMerge(session.session, at: now)) != nil
        return isProven ? .redirectToProvider(interaction) : loginAgain(session)
    }

    private func answer(isConfirmed: Bool) -> NextStep {
        switch interaction.choice {
        case .decline:
            guard case .authorize(let request) = interaction.continuation else { return .redirect(to: "/account") }
            return .refuse(.init(.accessDenied, "The user declined."), request)
        case .otherAccount:
            var other = Interaction(.signIn, then: interaction.continuation)
            other.requiresLogin = true
            return choose(other)
        case .resume, nil:
            guard let session, session.session.id == interaction.sessionID else {
                return .showProblem(.attemptUnknownOrUsed, nil)
            }
            return resume(in: session, isConfirmed: isConfirmed)
        }
    }

    private func finish(_ outcome: BrowserSignInOutcome) -> NextStep {
        switch outcome {
        case .signedIn(let session, let linkable):
            // A provider that verifies no new login would be asked again and again.
            if interaction.goal == .reauthenticate, !interaction.isForClient, !isRecent(session, for: .delete) {
                let name = providers.displayName(of: session.session.signInProvider)
                return .showProblem(.providerRefused(name), .account(href: "/account"))
            }
            return linkable.map { check($0, session) } ?? resume(in: session)
        case .needConfirmation(let pending, let known):
            var again = Interaction(.signIn, then: interaction.continuation)
            again.pendingToken = pending.token
            let usable = known?.filter { providers.provider($0)?.hasPage == true } ?? []
            let notice = ChooserPage.Notice.accountExists(
                provider: providers.displayName(of: pending.provider), ways: usable.map(providers.displayName))
            return choose(again, notice, from: usable.isEmpty ? nil : usable)
        case .linkRequested(let pending, let session): return check(pending, session)
        case .clientLinkRequested(let pending, let request): return .issueLinkCode(request, pending)
        case .proven(let pending, let userCode):
            return .approveDevice(userCode: userCode, pending)
        case .otherLoginProven(let login, _):
            var asked = interaction
            asked.otherLogin = login
            return .show(.mergeQuestion(asked))
        case .failed(let error): return failure(error, isOfRedirect: false)
        }
    }

    private func check(_ pending: PendingIdentity, _ session: SessionFacts) -> NextStep {
        var link = Interaction(.link, then: interaction.continuation)
        link.provider = pending.provider
        link.pendingToken = pending.token
        link.sessionID = session.session.id
        return .checkLink(link, session, label: pending.label)
    }

    private func failure(_ error: BrokerError, isOfRedirect: Bool) -> NextStep {
        let name = providers.displayName(of: interaction.provider ?? "")
        if case .authorize(let request) = interaction.continuation,
            let refusal = refusal(error, of: request, isOfRedirect: isOfRedirect)
        {
            return .refuse(refusal, request)
        }
        if interaction.goal == .signIn {
            if error == .cancelledAtProvider { return choose(interaction, .cancelled(provider: name)) }
            if case .providerUnavailable = error {
                return choose(interaction, .providerUnavailable(provider: name))
            }
        }
        if interaction.goal == .merge, error == .noAccount {
            return .showProblem(.mergeRefused(.noAccount, provider: name), exit)
        }
        return .showProblem(ErrorPage.Cause(error, provider: name), exit)
    }

    /// The error for the client; `nil` while the user can choose another provider.
    private func refusal(
        _ error: BrokerError, of request: AuthorizationRequest, isOfRedirect: Bool
    ) -> OAuthError? {
        let canChoose = request.provider == nil && interaction.goal == .signIn
        switch error {
        case .cancelledAtProvider where canChoose, .providerUnavailable where canChoose: return nil
        case .operationNotAllowed(let text?) where isOfRedirect && request.providerScopes != nil:
            return OAuthError(.invalidScope, text)
        case .unknownProvider where isOfRedirect && request.provider != nil,
            .operationNotAllowed where isOfRedirect && request.provider != nil:
            return OAuthError(.invalidRequest, "provider is unknown, or has no page to sign in at.")
        default: return OAuthError(error)
        }
    }

    private func codeRefused(
        _ refusal: OAuthError, _ request: AuthorizationRequest, _ session: SessionFacts, isConfirmed: Bool
    ) -> NextStep {
        // The login became too old while a page was open: the user signs in once more.
        guard isConfirmed, refusal.code == .loginRequired else { return .refuse(refusal, request) }
        let known = request.expects(session.user) ? session.identities.map(\.provider) : nil
        return choose(
            Interaction(.signIn, then: interaction.continuation), .signInAgain,
            from: request.provider.map { [$0] } ?? known)
    }

    /// Continues in a session that is known now. `isConfirmed`: the user has consented.
    private func resume(in session: SessionFacts, isConfirmed: Bool = false, isLinked: Bool = false) -> NextStep {
        switch interaction.continuation {
        case .account:
            guard isLinked, let provider = interaction.provider else { return .redirect(to: "/account") }
            let notice = FormEncoding.encode([("done", "linked"), ("provider", provider)])
            return .redirect(to: "/account?" + notice)
        case .device(let userCode): return .redirect(to: OAuthPaths.devicePage(showing: userCode))
        case .authorize(let request):
            guard requiresConsent, !isConfirmed else { return .issueCode(request, session, isConfirmed: isConfirmed) }
            // A provider that verifies no new login is not asked twice: the question would gain nothing.
            if let refusal = request.refusal(of: session, at: now) { return .refuse(refusal, request) }
            return consent(in: session)
        }
    }

    /// Requires a new login of the session's user; a pending identity is linked after it.
    private func loginAgain(_ session: SessionFacts) -> NextStep {
        var again = Interaction(.reauthenticate, then: interaction.continuation)
        again.expectedUser = session.user.localID
        again.pendingToken = interaction.pendingToken
        return choose(again, .signInAgain, from: session.identities.map(\.provider))
    }

    /// Shows the chooser, which offers to continue in `session`.
    private func choose(
        _ interaction: Interaction, _ notice: ChooserPage.Notice? = nil, from providers: [String]? = nil,
        offering session: SessionFacts? = nil
    ) -> NextStep {
        var interaction = interaction
        interaction.sessionID = session?.session.id
        var offered = providers
        if case .authorize(let request) = interaction.continuation, let required = request.requiredProviders {
            let usable = (providers ?? required).filter(required.contains)
            offered = usable.isEmpty ? required : usable
        }
        return .show(.chooser(interaction, notice, providers: offered))
    }

    private func redirect(to provider: String) -> NextStep {
        var interaction = interaction
        interaction.provider = provider
        return .redirectToProvider(interaction)
    }

    private func consent(in session: SessionFacts) -> NextStep {
        var consent = Interaction(.signIn, then: interaction.continuation)
        consent.sessionID = session.session.id
        return .show(.consent(consent))
    }

    private func isRecent(_ session: SessionFacts, for operation: Policy.SensitiveOperation) -> Bool {
        (try? recentLogin.require(for: operation, session, at: now)) != nil
    }

    private var exit: ErrorPage.Exit {
        guard case .device(let userCode) = interaction.continuation else { return .account(href: "/account") }
        return .startAgain(href: OAuthPaths.devicePage(showing: userCode))
    }
}
