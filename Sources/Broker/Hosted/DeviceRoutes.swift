import BrokerStore
import Hummingbird
import ProviderKit

/// `/device`: where a user with a browser allows a device that has none, or proves an identity to a command on the broker's
/// host (RFC 8628 §3.3).
///
/// Nothing is decided before the page has shown the code once more, with what it would allow. The decision is
/// single-use, and valid only from this browser and this session.
struct DeviceRoutes: Sendable {
    let pages: HostedPages

    func add(to routes: HostedRoutes) {
        routes.on(.get, OAuthPaths.devicePage, show)
        routes.on(.post, OAuthPaths.devicePage, posted)
    }

    /// The content of the page's forms; the one that asks for the code has none.
    struct Form: Codable {
        var userCode: String?
        /// The session the page was shown in; another one that began meanwhile is asked again.
        var sessionID: String?
    }

    /// A request for the page.
    private struct Look {
        let visit: Visit
        /// The code as the user typed it, or as it stands in the address.
        let typed: String?
        /// Whether the user has sent the form that asks for the code.
        var isPosted = false
    }

    @Sendable
    func show(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let query = try QueryParameters(queryOf: request)
        let visit = try await pages.visit(request, context)
        guard let typed = query["user_code"] else { return try pages.shown.deviceEntry(visit) }
        return try await look(Look(visit: visit, typed: typed))
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

    /// Finds what the code stands for, and asks.
    private func look(_ look: Look) async throws -> Response {
        guard let code = look.typed.flatMap(UserCode.init(typed:)), let found = try await find(code) else {
            try RequestAdmission.current?.fail()
            return try pages.shown.deviceEntry(look.visit, typed: look.typed, .wrong)
        }
        guard case .waiting(let row) = found else { return try expired(look) }
        switch row.purpose {
        case .client: return try await askForApp(code, row, look)
        case .terminal: return try askForTerminal(code, row, look)
        }
    }

    /// Finds the authorization of a code, unless the code was looked up in vain too often.
    private func find(_ code: UserCode) async throws -> DeviceAuthorizations.Found? {
        try RequestAdmission.current?.check(.failuresPerUserCode, of: .userCode(code.text))
        let found = try await pages.openID.devices.find(code)
        if case .waiting = found { return found }
        try RequestAdmission.current?.take(.failuresPerUserCode, of: .userCode(code.text))
        return found
    }

    private func askForApp(_ code: UserCode, _ row: DeviceAuthorizationRow, _ look: Look) async throws -> Response {
        guard let client = try await pages.openID.clients.client(id: row.party) else { return try expired(look) }
        let interaction = Interaction(.signIn, then: .device(userCode: code.text))
        guard let session = look.visit.session else {
            guard look.isPosted else { return try pages.shown.deviceEntry(look.visit, typed: look.typed) }
            return try await pages.dispatcher.proceed(.sessionRequired, of: interaction, look.visit)
        }
        let details = pages.shown.details(
            of: client, session, Scopes(row.scope),
            otherAccountHref: try pages.shown.otherAccount(interaction, look.visit))
        return try confirm(code, .app(details), in: session, look)
    }

    private func askForTerminal(_ code: UserCode, _ row: DeviceAuthorizationRow, _ look: Look) throws -> Response {
        guard let asked = pages.openID.deviceIdentityRequest(of: row) else { return try expired(look) }
        var interaction = Interaction(.prove, then: .device(userCode: code.text))
        interaction.provider = row.party
        interaction.requiresLogin = asked.requiresLogin
        let href = try pages.link("/depart", .redirect, interaction, look.visit)
        let name = pages.providers.current.displayName(of: row.party)
        return try confirm(code, .terminal(provider: name, continueHref: href), in: look.visit.session, look)
    }

    private func confirm(
        _ code: UserCode, _ asker: DevicePage.Asker, in session: SessionFacts?, _ look: Look
    ) throws -> Response {
        // The question about a typed code has an address of its own.
        guard !look.isPosted else { return pages.redirect(look.visit, to: OAuthPaths.devicePage(showing: code.text)) }
        let form = try pages.form(
            OAuthPaths.devicePage, .device, Form(userCode: code.text, sessionID: session?.session.id), look.visit)
        return pages.page(DevicePage(state: .confirm(code: code.text, asker, form)), to: look.visit)
    }

    private func decide(_ code: UserCode, _ decision: String?, _ visit: Visit) async throws -> Response {
        switch decision {
        case "allow":
            guard let session = visit.session,
                try await pages.openID.devices.approve(code, in: session, origin: visit.origin)
            else { return try pages.shown.deviceEntry(visit, .expired) }
            return try pages.redirect(visit, to: .device(isAllowed: true))
        case "deny":
            guard try await pages.openID.devices.deny(code) else { return try pages.shown.deviceEntry(visit, .expired) }
            return try pages.redirect(visit, to: .device(isAllowed: false))
        default: return pages.redirect(visit, to: OAuthPaths.devicePage(showing: code.text))
        }
    }

    private func expired(_ look: Look) throws -> Response {
        try pages.shown.deviceEntry(look.visit, typed: look.typed, .expired)
    }
}
