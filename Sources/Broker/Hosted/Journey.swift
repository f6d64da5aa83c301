import BrokerStore
import Hummingbird
import ProviderKit

/// Where browsers go from one page of the broker's to the next: to a provider, back to an app, to the account.
struct Journey: Sendable {
    let pages: HostedPages
    let authorize: Authorize
    let start: StartBrowserSignIn
    let recentLogin: RecentLogin
    let link: Link
    let recordRefusal: RecordRefusal

    /// What a button that leads to a provider is about.
    struct Departure: Codable {
        let provider: String
        let request: BrowserRequest
    }

    /// What a button that leads on is about.
    struct Onward: Codable {
        let continuation: Continuation
        /// Whether the person goes back without signing in.
        var declines = false
        /// The session it was offered to; another one that began meanwhile is asked anew.
        var sessionID: String?
        /// Whether the user chooses another account first.
        var switchesAccount: Bool?
    }

    /// The page where a person chooses a provider: one of `linked`, or any when that is nil.
    func choose(
        _ request: BrowserRequest, _ visit: Visit, notice: ChooserPage.Notice? = nil, only linked: [String]? = nil,
        knows session: SessionFacts? = nil
    ) async throws -> Response {
        let choice = Interaction.Choice(request: request, notice: notice, only: linked)
        guard visit.place == .own else { return try pages.redirect(visit, to: .choose(choice)) }
        return try await chooser(choice, visit, knows: session)
    }

    private func chooser(
        _ choice: Interaction.Choice, _ visit: Visit, knows session: SessionFacts? = nil
    ) async throws -> Response {
        var request = choice.request
        request.language = visit.language.rawValue
        let all = pages.providers.current.withPage
        let usable = all.filter { choice.only?.contains($0.id) ?? true }
        // When the operator has removed all that are linked, the page must not be a dead end.
        let offered = usable.isEmpty ? all : usable
        let buttons = try offered.map { provider in
            ProviderButton(
                id: provider.id, kind: provider.kind.rawValue, name: provider.displayName,
                href: try pages.link("/depart", .depart, Departure(provider: provider.id, request: request), visit))
        }
        let asked = try await app(of: request.continuation)
        let page = ChooserPage(
            app: asked?.name, providers: buttons, notice: choice.notice,
            continueAs: try session.map { try known($0, request.continuation, visit) },
            cancelHref: try asked.map { _ in try decline(request.continuation, visit) })
        return pages.page(page, to: visit, formTargets: try await formTargets(of: request.continuation))
    }

    /// Shows what an address of its own is about, or redirects there from one that cannot be asked for again.
    func present(_ interaction: Interaction, as session: SessionFacts?, _ visit: Visit) async throws -> Response {
        guard visit.place == .own else { return try pages.redirect(visit, to: interaction) }
        return try await show(interaction, session, visit)
    }

    /// The page of an interaction on the way to an app or a provider.
    func show(_ interaction: Interaction, _ session: SessionFacts?, _ visit: Visit) async throws -> Response {
        if case .choose(let choice) = interaction { return try await chooser(choice, visit) }
        guard let session else { throw BrokerError.signInAttemptUnknown }
        switch interaction {
        case .link(let form, let label): return try await linkQuestion(form, label, session, visit)
        case .consent(let request, _): return try await consent(request, session, visit)
        case .linkRefused(let cause, let continuation, _, let requestID):
            let exit = try await exit(of: continuation, as: session, visit)
            let page = ErrorPage(cause: cause, requestID: requestID, exit: exit)
            return pages.page(page, to: visit, status: .badRequest)
        case .choose, .account, .problem, .device, .proven, .signedOut: throw BrokerError.signInAttemptUnknown
        }
    }

    /// Asks whether to go on to the app as the person the browser knows.
    func confirm(_ request: AuthorizationRequest, _ session: SessionFacts, _ visit: Visit) async throws -> Response {
        try await present(.consent(request, sessionID: session.session.id), as: session, visit)
    }

    private func consent(
        _ request: AuthorizationRequest, _ session: SessionFacts, _ visit: Visit
    ) async throws -> Response {
        let continuation = Continuation.authorize(request)
        let asked = try await app(of: continuation)
        let form = try pages.form(
            "/continue", .goOn, Onward(continuation: continuation, sessionID: session.session.id), visit)
        // Only the user that the client named satisfies the request.
        let other = request.expectedUser == nil ? try otherAccount(continuation, visit) : nil
        let details = ConsentDetails(
            name: session.user.displayName, email: session.user.email,
            scopes: Scopes(request.scopes.joined(separator: " ")), otherAccountHref: other)
        let page = ConfirmPage(
            question: .continueTo(app: asked?.name ?? "", details), form: form,
            cancelHref: try decline(continuation, visit))
        return pages.page(page, to: visit, formTargets: try await formTargets(of: continuation))
    }

    /// Sends the browser to a provider.
    func depart(_ departure: Departure, _ visit: Visit) async throws -> Response {
        var request = departure.request
        request.language = request.language ?? visit.language.rawValue
        if request.intent == .link {
            guard let session = visit.session, session.session.id == request.sessionID else {
                throw BrokerError.signInAttemptOfAnother
            }
            guard isRecent(session, for: .link) else { return try await proveAgain(session, visit) }
        }
        if case .authorize(let asked) = request.continuation, request.intent == .signIn {
            return pages.depart(
                visit,
                try await authorize.depart(
                    to: departure.provider, for: asked, from: visit.session, pendingToken: request.pendingToken,
                    asksAnew: request.asksAnew, language: request.language))
        }
        return pages.depart(visit, try await start(at: departure.provider, for: request))
    }

    /// Goes on with a person who is known now.
    ///
    /// With `isConfirmed` they have said that the app may know them, where it takes that.
    func goOn(
        _ continuation: Continuation, as session: SessionFacts, _ visit: Visit,
        notice: String? = nil, isConfirmed: Bool = false
    ) async throws -> Response {
        switch continuation {
        case .account:
            return pages.redirect(visit, to: "/account" + (notice.map { "?" + $0 } ?? ""))
        case .device(let userCode):
            return pages.redirect(visit, to: Self.devicePage(userCode))
        case .authorize(let request):
            if !isConfirmed, try await authorize.asksFirst(request) {
                // A provider that proves nothing new is not asked twice: nothing is gained by a question either.
                if let objection = authorize.objection(to: session, for: request) {
                    return pages.redirect(visit, to: try await authorize.refuse(objection, request))
                }
                return try await confirm(request, session, visit)
            }
            do {
                return pages.redirect(
                    visit, to: try await authorize.grant(request, in: session))
            } catch let refusal as AuthorizationRefusal {
                // Who took their time over a page signs in once more.
                guard isConfirmed, refusal.code == .loginRequired else {
                    return pages.redirect(visit, to: try await authorize.refuse(refusal, request))
                }
                let known = request.expects(session.user) ? session.identities.map(\.provider) : nil
                return try await choose(
                    BrowserRequest(.signIn, then: continuation), visit, notice: .signInAgain,
                    only: request.provider.map { [$0] } ?? known)
            }
        }
    }

    /// Whether the last login is recent enough, as the policy has it.
    func isRecent(_ session: SessionFacts, for operation: Policy.SensitiveOperation) -> Bool {
        (try? recentLogin.require(for: operation, session, at: Timestamp(pages.now()))) != nil
    }

    /// The last login is too long ago for what was asked: the person proves once more who they are, and goes on with
    /// what they were about to do or connect.
    func proveAgain(
        _ session: SessionFacts, _ visit: Visit, then continuation: Continuation = .account,
        linking pendingToken: String? = nil
    ) async throws -> Response {
        var request = BrowserRequest(.reauthenticate, then: continuation)
        request.localID = session.user.localID
        request.pendingToken = pendingToken
        return try await choose(request, visit, notice: .signInAgain, only: session.identities.map(\.provider))
    }

    /// What a person is told when a provider did not vouch for them, or the app is.
    func failed(_ error: any Error, _ request: BrowserRequest, at provider: String, _ visit: Visit) async throws
        -> Response
    {
        let name = pages.providers.current.displayName(of: provider)
        guard let error = error as? BrokerError, error != .storeUnavailable else { throw error }
        // What no row remembers was refused before the provider was asked.
        if visit.place == .consumed { await recordRefusal(error, at: provider, origin: visit.origin) }
        if case .authorize(let asked) = request.continuation, let refusal = refusal(error, asked, request.intent) {
            return pages.redirect(visit, to: try await authorize.refuse(refusal, asked))
        }
        if request.intent == .signIn, let notice = Self.notice(error, name) {
            return try await choose(request, visit, notice: notice)
        }
        return pages.problem(
            ErrorPage.Cause(error, provider: name), to: visit, exit: Self.exit(of: request.continuation))
    }

    private static func exit(of continuation: Continuation) -> ErrorPage.Exit {
        guard case .device(let userCode) = continuation else { return .account(href: "/account") }
        return .startAgain(href: devicePage(userCode))
    }

    private static func devicePage(_ userCode: String) -> String {
        OAuthPaths.devicePage(showing: userCode)
    }

    /// What the app is told; nil while the person can still choose another way.
    private func refusal(
        _ error: BrokerError, _ request: AuthorizationRequest, _ intent: BrowserRequest.Intent
    ) -> AuthorizationRefusal? {
        let hasOtherWays = request.provider == nil && intent == .signIn
        return switch error {
        case .cancelledAtProvider where hasOtherWays, .providerUnavailable where hasOtherWays: nil
        default: AuthorizationRefusal(error)
        }
    }

    private static func notice(_ error: BrokerError, _ name: String) -> ChooserPage.Notice? {
        switch error {
        case .cancelledAtProvider: .cancelled(provider: name)
        case .providerUnavailable: .providerUnavailable(provider: name)
        default: nil
        }
    }

    /// The app that waits for the person.
    private func app(of continuation: Continuation) async throws -> Client? {
        guard case .authorize(let request) = continuation else { return nil }
        return try await authorize.openID.clients.client(id: request.clientID)
    }

    /// Where a form may lead in the end besides the broker: to the app that waits.
    func formTargets(of continuation: Continuation) async throws -> [String] {
        guard case .authorize(let request) = continuation, let client = try await app(of: continuation) else {
            return []
        }
        return [client.redirectURI(matching: request.redirectURI)?.contentSecuritySource].compactMap(\.self)
    }

    private func known(
        _ session: SessionFacts, _ continuation: Continuation, _ visit: Visit
    ) throws -> ChooserPage.Known {
        .init(
            name: session.user.displayName, email: session.user.email,
            form: try pages.form(
                "/continue", .goOn, Onward(continuation: continuation, sessionID: session.session.id), visit))
    }

    /// The chooser's address for a user who continues as another user than the browser session's.
    func otherAccount(_ continuation: Continuation, _ visit: Visit) throws -> String {
        try pages.link("/continue", .goOn, Onward(continuation: continuation, switchesAccount: true), visit)
    }

    /// The way on from a page that says what went wrong.
    private func exit(
        of continuation: Continuation, as session: SessionFacts, _ visit: Visit
    ) async throws -> ErrorPage.Exit {
        guard let app = try await app(of: continuation) else { return Self.exit(of: continuation) }
        let onward = Onward(continuation: continuation, sessionID: session.session.id)
        return .app(name: app.name, href: try pages.link("/continue", .goOn, onward, visit))
    }

    private func decline(_ continuation: Continuation, _ visit: Visit) throws -> String {
        try pages.link("/continue", .goOn, Onward(continuation: continuation, declines: true), visit)
    }
}

extension ErrorPage.Cause {
    /// What a person is told about an error. Every error has its words; those no person can cause say that it failed.
    init(_ error: BrokerError, provider: String) {
        switch error {
        case .signInAttemptUnknown: self = .attemptUnknownOrUsed
        case .signInAttemptOfAnother: self = .otherBrowser
        case .cancelledAtProvider: self = .cancelled(provider)
        case .providerUnavailable: self = .providerUnavailable(provider)
        case .providerMisconfigured, .unknownProvider, .operationNotAllowed: self = .providerMisconfigured(provider)
        case .userDisabled: self = .accountDisabled
        case .identityAlreadyLinked: self = .linkRefused(.alreadyLinkedElsewhere, provider: provider)
        case .providerAlreadyLinked: self = .linkRefused(.providerAlreadyLinked, provider: provider)
        case .lastSignInMethod: self = .lastWayIn
        case .emailHeldByAnotherUser: self = .linkRefused(.emailTaken, provider: provider)
        default: self = .providerRefused(provider)
        }
    }
}
