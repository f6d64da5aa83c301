import BrokerStore
import Hummingbird
import ProviderKit

/// The pages between a browser and a provider, made of what their address or an interaction says. They decide nothing.
struct InteractionPages: Sendable {
    let pages: HostedPages

    /// Shows a page, or redirects to its own address from a request that cannot be repeated.
    func present(_ page: PageRequest, _ visit: Visit) async throws -> Response {
        guard visit.place == .own else { return try pages.redirect(visit, to: page) }
        return try await show(page, visit)
    }

    /// Shows a page.
    ///
    /// - Throws: ``BrokerError/signInAttemptUnknown`` when the page belongs to another session than the browser's.
    func show(_ page: PageRequest, _ visit: Visit) async throws -> Response {
        switch page {
        case .chooser(let interaction, let notice, let providers):
            return try await chooser(interaction, notice, from: providers, visit)
        case .linkQuestion(let interaction, let label):
            return try await linkQuestion(interaction, label, try session(of: page, visit), visit)
        case .mergeQuestion(let interaction):
            return try await pages.merges.ask(interaction, try session(of: page, visit), visit)
        case .consent(let interaction): return try await consent(interaction, try session(of: page, visit), visit)
        case .linkRefused(let interaction, let cause, let requestID):
            _ = try session(of: page, visit)
            let page = ErrorPage(
                cause: cause, requestID: requestID, exit: try await exit(of: interaction, visit))
            return pages.page(page, to: visit, status: .badRequest)
        case .account(let question): return try await pages.account.ask(question, try session(of: page, visit), visit)
        case .device(let isAllowed): return pages.page(DevicePage(state: isAllowed ? .done : .denied), to: visit)
        case .proven(let provider, let label):
            return pages.page(
                DonePage(provider: pages.providers.current.displayName(of: provider), person: label), to: visit)
        case .signedOut: return pages.page(SignedOutPage(signInHref: "/sign-in"), to: visit)
        case .deleted(let withdrawals, let account):
            let page = DeletedPage(
                account: account, withdrawals: try await pages.current(withdrawals),
                homeHref: pages.brand.homeHref ?? "/", refreshHref: visit.target)
            return pages.page(page, to: visit)
        case .problem(let problem): return pages.page(problem, to: visit, at: visit.target)
        }
    }

    private func session(of page: PageRequest, _ visit: Visit) throws -> SessionFacts {
        guard let session = visit.session, page.isShown(in: session) else { throw BrokerError.signInAttemptUnknown }
        return session
    }

    private func chooser(
        _ interaction: Interaction, _ notice: ChooserPage.Notice?, from linked: [String]?, _ visit: Visit
    ) async throws -> Response {
        var choice = Interaction(interaction.goal, then: interaction.continuation)
        choice.expectedUser = interaction.expectedUser
        choice.pendingToken = interaction.pendingToken
        choice.requiresLogin = interaction.requiresLogin
        choice.language = visit.language.tag
        if interaction.goal == .merge {
            (choice.sessionID, choice.mergeID) = (interaction.sessionID, interaction.mergeID)
        }
        let all = pages.providers.current.withPage
        let usable = all.filter { linked?.contains($0.id) ?? true }
        // When the operator has removed all that are linked, the page must not be a dead end.
        let buttons = try (usable.isEmpty ? all : usable).map { provider in
            choice.provider = provider.id
            return ProviderButton(provider, href: try pages.link("/depart", .redirect, choice, visit))
        }
        let client = try await client(of: interaction)
        let page = ChooserPage(
            app: client?.name, appLogo: client.flatMap { AppView($0).logo }, providers: buttons,
            usedLast: pages.lastProvider(of: visit), notice: notice, continueAs: try known(interaction, visit),
            cancelHref: try client.map { _ in try link(.decline, interaction, visit) }
                ?? (interaction.goal == .merge ? "/account" : nil),
            termsHref: pages.brand.termsHref, privacyHref: pages.brand.privacyHref)
        return pages.page(page, to: visit, formTargets: formTargets(of: interaction, client))
    }

    /// The offer to continue in the browser's session, where the chooser belongs to it.
    private func known(_ interaction: Interaction, _ visit: Visit) throws -> ChooserPage.Known? {
        guard let session = visit.session, session.session.id == interaction.sessionID, interaction.goal != .merge
        else { return nil }
        return .init(
            name: session.user.displayName, email: session.user.email,
            form: try pages.form("/continue", .resume, choosing(.resume, interaction), visit))
    }

    private func consent(_ interaction: Interaction, _ session: SessionFacts, _ visit: Visit) async throws -> Response {
        guard case .authorize(let request) = interaction.continuation else { throw BrokerError.signInAttemptUnknown }
        guard let client = try await client(of: interaction) else {
            throw NotRedirectable.clientUnknown(id: request.clientID)
        }
        // Only the user that the client named satisfies the request.
        let other = request.expectedUser == nil ? try otherAccount(interaction, visit) : nil
        var details = details(
            of: client, session, Scopes(request.scopes.joined(separator: " ")), otherAccountHref: other)
        details.destination = ConsentDetails.Destination(ofRedirectURI: request.redirectURI)
        let page = ConfirmPage(
            question: .continueTo(details),
            form: try pages.form("/continue", .resume, choosing(.resume, interaction), visit),
            cancelHref: try link(.decline, interaction, visit))
        return pages.page(page, to: visit, formTargets: formTargets(of: interaction, client))
    }

    /// What a client asks the user of a session for.
    func details(
        of client: Client, _ session: SessionFacts, _ scopes: Scopes, otherAccountHref: String?
    ) -> ConsentDetails {
        ConsentDetails(
            app: AppView(client), site: pages.brand, name: session.user.displayName, email: session.user.email,
            provider: pages.providers.current.provider(session.session.signInProvider)?.displayName, scopes: scopes,
            otherAccountHref: otherAccountHref)
    }

    private func linkQuestion(
        _ interaction: Interaction, _ label: String, _ session: SessionFacts, _ visit: Visit
    ) async throws -> Response {
        let user = session.user
        let isFromAccount = if case .account = interaction.continuation { true } else { false }
        let page = ConfirmPage(
            question: .link(
                provider: pages.providers.current.displayName(of: interaction.provider ?? ""), person: label,
                account: user.displayName ?? user.email ?? user.localID),
            form: try pages.form("/account/link", .link, interaction, visit),
            cancelHref: isFromAccount ? "/account" : try link(.resume, interaction, visit))
        let client = try await client(of: interaction)
        return pages.page(page, to: visit, formTargets: formTargets(of: interaction, client))
    }

    /// The link to what waits for the user, on a page that says what went wrong.
    private func exit(of interaction: Interaction, _ visit: Visit) async throws -> ErrorPage.Exit {
        if let client = try await client(of: interaction) {
            return .app(name: client.name, href: try link(.resume, interaction, visit))
        }
        guard case .device(let userCode) = interaction.continuation else { return .account(href: "/account") }
        return .startAgain(href: OAuthPaths.devicePage(showing: userCode))
    }

    /// The page that asks for a device's code.
    func deviceEntry(_ visit: Visit, typed: String? = nil, _ problem: DevicePage.Problem? = nil) throws -> Response {
        let form = try pages.form(OAuthPaths.devicePage, .device, DeviceRoutes.Form(), visit)
        // What is no code is not shown at length.
        let typed = typed.map { UserCode(typed: $0)?.text ?? String($0.prefix(32)) }
        let query = typed.map { "?" + FormEncoding.encode([("user_code", $0)]) } ?? ""
        return pages.page(
            DevicePage(state: .enterCode(form, code: typed ?? "", problem: problem)), to: visit,
            status: problem == nil ? .ok : .badRequest, at: OAuthPaths.devicePage + query)
    }

    /// The link of a user who continues as another user than the browser session's.
    func otherAccount(_ interaction: Interaction, _ visit: Visit) throws -> String {
        try link(.otherAccount, interaction, visit)
    }

    private func link(_ choice: Interaction.Choice, _ interaction: Interaction, _ visit: Visit) throws -> String {
        try pages.link("/continue", .resume, choosing(choice, interaction), visit)
    }

    private func choosing(_ choice: Interaction.Choice, _ interaction: Interaction) -> Interaction {
        var chosen = Interaction(.signIn, then: interaction.continuation)
        chosen.choice = choice
        chosen.sessionID = choice == .resume ? interaction.sessionID : nil
        return chosen
    }

    /// The client that waits for the outcome.
    private func client(of interaction: Interaction) async throws -> Client? {
        guard case .authorize(let request) = interaction.continuation else { return nil }
        return try await pages.openID.clients.client(id: request.clientID)
    }

    /// The targets of a form besides the broker: to the client that waits.
    private func formTargets(of interaction: Interaction, _ client: Client?) -> [String] {
        guard case .authorize(let request) = interaction.continuation else { return [] }
        return [client?.redirectURI(matching: request.redirectURI)?.contentSecuritySource].compactMap(\.self)
    }
}

extension ConsentDetails.Destination {
    /// An https address has a host that the user can know; others are answered on the user's machine (RFC 8252 §7).
    fileprivate init(ofRedirectURI uri: String) {
        let parts = URIParts(uri)
        let host = parts?.authority.flatMap { URIParts.hostAndPort($0)?.host }
        self = if let host, parts?.scheme == "https" { .host(host) } else { .device }
    }
}

extension ConfiguredProvider {
    /// Whether a browser can be redirected there.
    var hasPage: Bool { provider is any RedirectSignIn && provider.accepts.contains(.authorizationCode) }
}

extension ProviderDirectory {
    /// The providers a browser can be redirected to.
    var withPage: [ConfiguredProvider] { providers.filter(\.hasPage) }
}
