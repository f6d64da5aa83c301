import BrokerStore
import Hummingbird
import ProviderKit

/// `/device`: where a person with a browser lets in a device that has none, or proves to a terminal who they are
/// (RFC 8628 §3.3).
///
/// Nothing is decided before the person has seen the code once more, with what it would let in. What they say then counts
/// from this browser and this session only, and once.
struct DeviceRoutes: Sendable {
    let pages: HostedPages
    let journey: Journey
    let devices: DeviceAuthorizations
    let terminal: TerminalSignIn

    func add(to routes: HostedRoutes) {
        routes.on(.get, OAuthPaths.devicePage, show)
        routes.on(.post, OAuthPaths.devicePage, posted)
    }

    /// What the forms are about: without a code, the one that asks for it.
    struct Form: Codable {
        var userCode: String?
        /// The session it was shown in; another one that began meanwhile is asked anew.
        var sessionID: String?
    }

    /// A person who looks at the page.
    private struct Look {
        let visit: Visit
        /// What they typed, or what stands in the address.
        let typed: String?
        /// Whether they have pressed a button already.
        var isPosted = false
        /// Whether the browser runs where the terminal is.
        var isAtTerminal = false
    }

    @Sendable
    func show(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let query = try QueryParameters(queryOf: request)
        let visit = try await pages.visit(request, context)
        guard let typed = query["user_code"] else { return try entry(Look(visit: visit, typed: nil)) }
        return try await look(
            Look(visit: visit, typed: typed, isAtTerminal: query[TerminalSignIn.localParameter] == "1"))
    }

    @Sendable
    func posted(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, fields) = try await pages.posted(request, context)
        guard let form: Form = pages.payload(fields["form"], for: .device, visit) else {
            return pages.problem(.attemptUnknownOrUsed, to: visit, exit: .startAgain(href: OAuthPaths.devicePage))
        }
        guard let code = form.userCode.flatMap(UserCode.init(typed:)) else {
            return try await look(Look(visit: visit, typed: fields["user_code"], isPosted: true))
        }
        guard visit.session?.session.id == form.sessionID else {
            return pages.problem(
                .attemptUnknownOrUsed, to: visit,
                exit: .startAgain(href: OAuthPaths.devicePage(showing: code.text)))
        }
        return try await decide(code, fields["decision"], visit)
    }

    /// Finds out what the code stands for, and asks.
    private func look(_ look: Look) async throws -> Response {
        guard let code = look.typed.flatMap(UserCode.init(typed:)), let found = try await devices.find(code) else {
            return try entry(look, .wrong)
        }
        guard case .waiting(let row) = found else { return try entry(look, .expired) }
        switch row.purpose {
        case .client: return try await askForApp(code, row, look)
        case .terminal: return try askForTerminal(code, row, look)
        }
    }

    private func askForApp(_ code: UserCode, _ row: DeviceAuthorizationRow, _ look: Look) async throws -> Response {
        guard let client = try await journey.authorize.openID.clients.client(id: row.party) else {
            return try entry(look, .expired)
        }
        guard let session = look.visit.session else {
            guard look.isPosted else { return try entry(look) }
            return try await journey.choose(BrowserRequest(.signIn, then: .device(userCode: code.text)), look.visit)
        }
        let details = ConsentDetails(
            name: session.user.displayName, email: session.user.email, scopes: Scopes(row.scope),
            otherAccountHref: try journey.otherAccount(.device(userCode: code.text), look.visit))
        return try confirm(code, .app(client.name, details), in: session, look)
    }

    private func askForTerminal(_ code: UserCode, _ row: DeviceAuthorizationRow, _ look: Look) throws -> Response {
        guard let asked = terminal.request(of: row) else { return try entry(look, .expired) }
        var request = BrowserRequest(.prove, then: .device(userCode: code.text))
        request.asksAnew = asked.asksAnew
        request.isAtTerminal = look.isAtTerminal
        let href = try pages.link(
            "/depart", .depart, Journey.Departure(provider: row.party, request: request), look.visit)
        let name = pages.providers.current.displayName(of: row.party)
        return try confirm(code, .terminal(provider: name, continueHref: href), in: look.visit.session, look)
    }

    private func confirm(
        _ code: UserCode, _ asker: DevicePage.Asker, in session: SessionFacts?, _ look: Look
    ) throws -> Response {
        // What was typed in is asked about at an address of its own.
        guard !look.isPosted else { return pages.redirect(look.visit, to: OAuthPaths.devicePage(showing: code.text)) }
        let form = try pages.form(
            OAuthPaths.devicePage, .device, Form(userCode: code.text, sessionID: session?.session.id), look.visit)
        return pages.page(DevicePage(state: .confirm(code: code.text, asker, form)), to: look.visit)
    }

    private func decide(_ code: UserCode, _ decision: String?, _ visit: Visit) async throws -> Response {
        switch decision {
        case "allow":
            guard let session = visit.session,
                try await devices.approve(code, in: session, origin: visit.origin)
            else { return try entry(Look(visit: visit, typed: nil), .expired) }
            return try pages.redirect(visit, to: .device(isAllowed: true))
        case "deny":
            guard try await devices.deny(code) else { return try entry(Look(visit: visit, typed: nil), .expired) }
            return try pages.redirect(visit, to: .device(isAllowed: false))
        default: return pages.redirect(visit, to: OAuthPaths.devicePage(showing: code.text))
        }
    }

    private func entry(_ look: Look, _ problem: DevicePage.Problem? = nil) throws -> Response {
        let form = try pages.form(OAuthPaths.devicePage, .device, Form(), look.visit)
        // What is no code is not shown at length.
        let typed = look.typed.map { UserCode(typed: $0)?.text ?? String($0.prefix(32)) }
        let query = typed.map { "?" + FormEncoding.encode([("user_code", $0)]) } ?? ""
        return pages.page(
            DevicePage(state: .enterCode(form, code: typed ?? "", problem: problem)), to: look.visit,
            status: problem == nil ? .ok : .badRequest, at: OAuthPaths.devicePage + query)
    }

    /// Brings a terminal what a provider has borne out. It is decided there whether anything comes of it.
    func bring(
        _ pending: FinishBrowserSignIn.PendingIdentity, _ request: BrowserRequest, _ visit: Visit
    ) async throws -> Response {
        guard case .device(let text) = request.continuation, let code = UserCode(typed: text) else {
            throw BrokerError.signInAttemptUnknown
        }
        let answer = try await terminal.answer(code, with: pending, isAtTerminal: request.isAtTerminal == true)
        guard answer.isTaken else { return try entry(Look(visit: visit, typed: nil), .expired) }
        if let loopback = answer.loopback { return pages.redirect(visit, to: loopback) }
        return try pages.redirect(visit, to: .proven(provider: pending.provider, label: pending.label))
    }
}
