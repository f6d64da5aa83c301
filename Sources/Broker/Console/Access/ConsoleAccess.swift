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
        let cookie = try RequestCookies(request).value(of: sessionCookie)
        guard let hash = sessions.hash(of: cookie), let found = try await sessions.session(hash: hash, at: now),
            let role = administrators.role(of: found.administrator),
            let entry = admin.providers.current.provider(found.administrator.provider),
            entry.instance.hasSameBytes(as: found.administrator.issuer),
            entry.secretBinding.partiesHash == found.session.partiesHash
        else { return nil }
        let identity = ConsoleIdentity(session: found.session, row: found.administrator, role: role)
        try RequestAdmission.current?.prove(credential: identity.administrator.actor)
        return identity
    }

    /// Refuses a form that is not the console's own.
    ///
    /// - Throws: ``ForeignRequest``.
    func requireOwnOrigin(_ request: Request) throws(ForeignRequest) { try sameOrigin.check(request) }

    /// `payload` as one text that opens for this session alone.
    func sealed(_ payload: some Encodable, _ identity: ConsoleIdentity) throws -> String {
        try forms.seal(payload, for: .console, browser: identity.formBinding, at: now)
    }

    /// The content of what was sealed for this session; nil for anything else, and an hour later.
    func opened<Payload: Decodable>(_ text: String?, _: Payload.Type, _ identity: ConsoleIdentity) -> Payload? {
        forms.open(text, for: .console, browser: identity.formBinding, at: now)
    }

    /// A page of the console's own making, with the headers that keep it from being framed, stored, sniffed or run.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - html: The document, whose style sheet the policy calls by the nonce.
    /// - Returns: The answer.
    func page(_ status: HTTPResponse.Status, _ html: (_ nonce: String) -> String) -> Response {
        let policy = PagePolicy(formTargets: [], isSecure: isSecure)
        return Response(
            status: status, headers: policy.headers(pages.languages.all[0]),
            body: .init(byteBuffer: ByteBuffer(string: html(policy.nonce))))
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
