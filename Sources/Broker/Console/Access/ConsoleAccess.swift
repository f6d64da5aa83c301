import BrokerStore
import HTTPTypes
import Hummingbird
import JOSE
import ProviderKit

/// The context of the console: who may see it, and how its requests and answers are made.
///
/// What the console does are administrative operations, run for a session's administrator by ``ConsoleVisit/run(_:)``.
final class ConsoleAccess: StoreLayer {
    let stored: StoreContext
    let admin: AdminContext
    let redirects: RedirectContext
    /// For the pages without a session, which look as the hosted pages do.
    let pages: HostedPages
    /// The URL at which browsers reach the console.
    let url: String
    let sessions: ConsoleSessions
    let administrators: ConsoleAdministrators
    private let forms: HostedForms
    private let sameOrigin: SameOrigin

    init(_ admin: AdminContext, _ pages: HostedPages) {
        stored = admin.stored
        self.admin = admin
        self.pages = pages
        redirects = pages.redirects
        url = pages.consoleURL
        sessions = admin.sessions.consoleSessions
        administrators = admin.sessions.consoleAdministrators
        forms = admin.sessions.hostedForms
        sameOrigin = SameOrigin(publicURL: url)
    }

    var isSecure: Bool { url.hasPrefix("https:") }

    func cookieName(_ name: String) -> CookieName { CookieName(name, publicURL: url) }
    var sessionCookie: CookieName { cookieName("broker-console") }

    /// The console's session of a request; nil where there is none, or it has ended.
    ///
    /// A session ends with its administrator's role, and with a change of what the provider's entry trusts.
    ///
    /// - Throws: ``CookieError``, ``BrokerError/tooManyAttempts(retryAfter:)``, or a store's error.
    func session(of request: Request, at now: Timestamp) async throws -> ConsoleIdentity? {
        guard let cookie = try RequestCookies(request).value(of: sessionCookie), let hash = sessions.hash(of: cookie)
        else { return nil }
        do {
            let identity = try await RequestAdmission.look(behind: TokenDigest(of: cookie), at: now) {
                guard let identity = try await live(hash: hash, at: now) else { throw BrokerError.tokenExpired }
                return identity
            }
            try RequestAdmission.current?.prove(user: identity.administrator.actor)
            return identity
        } catch BrokerError.tokenExpired {
            return nil
        }
    }

    private func live(hash: [UInt8], at now: Timestamp) async throws -> ConsoleIdentity? {
        guard let found = try await sessions.session(hash: hash, at: now),
            let role = administrators.role(of: found.administrator),
            let entry = admin.providers.current.provider(found.administrator.provider),
            entry.instance.hasSameBytes(as: found.administrator.issuer),
            entry.partiesHash == found.session.partiesHash
        else { return nil }
        return ConsoleIdentity(session: found.session, row: found.administrator, role: role)
    }

    /// Refuses a form that is not the console's own.
    ///
    /// - Throws: ``ForeignRequest``.
    func requireOwnOrigin(_ request: Request) throws(ForeignRequest) { try sameOrigin.check(request) }

    /// The token of a form that is sent to a path from this session.
    func sealed(_ token: ConsoleFormToken, _ identity: ConsoleIdentity) throws -> String {
        try forms.seal(token, for: .console, browser: identity.formBinding, at: now)
    }

    /// The token that was sealed for this session; nil for anything else, and an hour later.
    func token(_ text: String?, _ identity: ConsoleIdentity) -> ConsoleFormToken? {
        forms.open(text, for: .console, browser: identity.formBinding, at: now)
    }

    /// A form of this session that waits for a login, as one text for an address.
    func sealed(_ form: ConsoleRedirect.KeptForm, _ identity: ConsoleIdentity) throws -> String {
        try forms.seal(form, for: .keptConsoleForm, browser: identity.formBinding, at: now)
    }

    /// The form of this session that waits for a login; nil for anything else, and an hour later.
    func keptForm(_ text: String?, _ identity: ConsoleIdentity) -> ConsoleRedirect.KeptForm? {
        forms.open(text, for: .keptConsoleForm, browser: identity.formBinding, at: now)
    }

    /// A page that looks as the hosted pages do. The console is in English.
    func plainPage(_ page: some HostedPage, status: HTTPResponse.Status = .ok) -> Response {
        pages.renderer.response(page, language: pages.languages.all[0], status: status)
    }

    /// Redirects the browser, always with a GET.
    func redirect(to location: String, setting cookies: [SetCookie] = []) -> Response {
        pages.redirect(nil, to: location, setting: cookies)
    }
}

/// An administrator with a session of the console.
struct ConsoleIdentity: Sendable {
    let session: ConsoleSession
    let row: ConsoleAdministrator
    let role: ConsoleRole

    /// The administrator as operations know them.
    var administrator: Administrator {
        Administrator(kind: .console, id: row.id, name: row.name, scopes: role.scopes)
    }

    /// What the forms of the session are sealed for.
    fileprivate var formBinding: String { "console " + Base64URL.encode(session.tokenHash) }
}
