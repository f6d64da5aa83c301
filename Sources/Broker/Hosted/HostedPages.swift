import BrokerStore
import HTTPTypes
import Hummingbird
import OAuth
import ProviderKit

/// The context of the hosted pages: the flows behind them, and the shared part of all their routes. Reads a browser's
/// request, shows a page, redirects.
final class HostedPages: StoreLayer {
    let stored: StoreContext
    let providers: ProvidersContext
    let sessions: SessionContext
    let accounts: AccountContext
    let redirects: RedirectContext
    let openID: OpenIDContext
    let publicURL: String
    /// The URL at which browsers reach the console.
    let consoleURL: String
    /// The site's brand, with the name that its users know.
    let brand: PageBrand
    /// The picture in the browser's tab; nil for the pages' own.
    let favicon: BrandImage?
    let renderer: PageRenderer
    let languages: PageLanguages
    private let forms: HostedForms
    private let sameOrigin: SameOrigin

    init(_ openID: OpenIDContext, _ configuration: Configuration) throws {
        stored = openID.stored
        providers = openID.providers
        sessions = openID.sessions
        accounts = openID.accounts
        redirects = openID.redirects
        self.openID = openID
        publicURL = configuration.publicURL
        consoleURL = configuration.consoleURL
        brand = PageBrand(configuration)
        favicon = configuration.branding.favicon
        languages = try PageLanguages(site: brand.name, folder: configuration.pageTexts)
        renderer = PageRenderer(publicURL: publicURL, brand: brand, languages: languages)
        forms = sessions.hostedForms
        sameOrigin = SameOrigin(publicURL: publicURL)
    }

    var siteName: String { brand.name }

    var account: AccountAtPages { AccountAtPages(pages: self) }
    var merges: MergesAtPages { MergesAtPages(pages: self) }
    var shown: InteractionPages { InteractionPages(pages: self) }
    var dispatcher: InteractionDispatcher { InteractionDispatcher(pages: self) }

    private func name(_ name: String) -> CookieName { CookieName(name, publicURL: publicURL) }
    private var sessionCookie: CookieName { name("broker-session") }
    /// A browser has several when it opened its first pages at once: each page's form is for the cookie it came with.
    private var browserCookie: CookieName { name("broker-browser") }
    private static let browserCookies = 4

    /// Reads a request's cookies and language.
    ///
    /// - Throws: ``CookieError`` for cookies that another site has set, or a store's error.
    func visit(
        _ request: Request, _ context: BrokerRequestContext, uiLocales: String? = nil
    ) async throws -> Visit {
        let cookies = try RequestCookies(request)
        let known = try cookies.values(ofThoseWith: browserCookie, atMost: Self.browserCookies)
        let session = try await sessions.webSessions.session(
            behind: try cookies.value(of: sessionCookie), from: context.device, at: now)
        let query = try? QueryParameters(queryOf: request)
        return Visit(
            session: session, browser: known.first ?? RandomText.secret(), knownAs: known, cookies: cookies,
            language: languages.language(
                uiLocales: query?["ui_locales"] ?? uiLocales, acceptLanguage: request.headers[.acceptLanguage]),
            requestID: context.requestID, target: request.head.path ?? "/", place: Visit.Place(request),
            device: context.device)
    }

    /// Counts a request against its browser's session, or against its address.
    ///
    /// - Throws: ``BrokerError/tooManyAttempts(retryAfter:)``.
    func count(_ request: Request) throws(BrokerError) {
        guard let admission = RequestAdmission.current else { return }
        let cookies = try? RequestCookies(request)
        if let id = sessions.webSessions.sessionID(behind: (try? cookies?.value(of: sessionCookie)) ?? nil) {
            try admission.prove(webSession: id)
        } else {
            try admission.countUnproven()
        }
    }

    /// Reads a form that one of our own pages posted.
    ///
    /// - Throws: ``ForeignRequest`` for one of another site's, ``ParameterError``, or as ``visit(_:_:uiLocales:)``.
    func posted(
        _ request: Request, _ context: BrokerRequestContext
    ) async throws -> (visit: Visit, form: QueryParameters) {
        try sameOrigin.check(request)
        let form = try await FormBody(of: request).parameters
        return (try await visit(request, context), form)
    }

    /// A page, with a switch to its other languages.
    ///
    /// `address` is where the page can be asked for again; the request's own address for a GET.
    func page(
        _ page: some HostedPage, to visit: Visit, status: HTTPResponse.Status = .ok, formTargets: [String] = [],
        at address: String? = nil
    ) -> Response {
        let address = address ?? (visit.place == .own ? visit.target : nil)
        var response = renderer.response(
            page, language: visit.language,
            languageURL: address.map { address in { PageLanguage.address(address, in: $0) } }, status: status,
            formTargets: formTargets)
        remember(visit, in: &response)
        return response
    }

    /// Redirects the browser, always with a GET (RFC 9700 §4.12).
    func redirect(_ visit: Visit?, to location: String, setting cookies: [SetCookie] = []) -> Response {
        var response = Response(
            status: .seeOther,
            headers: [.location: location, .cacheControl: "no-store", Self.referrerPolicy: "no-referrer"])
        if let visit { remember(visit, in: &response) }
        for cookie in cookies { response.headers.append(.init(name: .setCookie, value: cookie.header)) }
        return response
    }

    /// Redirects the browser to a provider.
    func redirect(_ visit: Visit, _ started: StartedBrowserSignIn) -> Response {
        // Longer than the attempt, so that a late answer is known to be of this browser.
        let cookie = SetCookie(
            name(started.cookieName), to: started.cookieValue, maxAge: Int(HostedForms.lifetime.components.seconds))
        return redirect(visit, to: started.authorizationURL, setting: [cookie])
    }

    /// The cookie of a redirect, by the hash of its state.
    func flowCookie(_ visit: Visit, stateHash: [UInt8]) -> String? {
        // A cookie that another site set beside ours makes both invalid.
        (try? visit.cookies.value(of: name(StartedBrowserSignIn.cookieName(stateHash: stateHash)))) ?? nil
    }

    func forgetFlow(stateHash: [UInt8]) -> SetCookie {
        .removing(name(StartedBrowserSignIn.cookieName(stateHash: stateHash)))
    }

    func remember(_ session: Session) -> SetCookie {
        SetCookie(sessionCookie, to: sessions.webSessions.cookie(for: session), maxAge: WebSessions.lifetime)
    }

    var forgetSession: SetCookie { .removing(sessionCookie) }

    /// The provider of this browser's last sign-in. It orders the chooser and decides nothing.
    private var providerCookie: CookieName { name("broker-provider") }
    private static let providerLifetime = 180 * 86_400

    /// The id of the provider of this browser's last sign-in.
    func lastProvider(of visit: Visit) -> String? { (try? visit.cookies.value(of: providerCookie)) ?? nil }

    func remember(provider: String) -> SetCookie {
        SetCookie(providerCookie, to: provider, maxAge: Self.providerLifetime)
    }

    var forgetProvider: SetCookie { .removing(providerCookie) }

    /// A form that carries `payload`, sealed for this browser.
    func form(_ action: String, _ purpose: HostedForms.Purpose, _ payload: some Encodable, _ visit: Visit) throws
        -> HiddenForm
    {
        HiddenForm(action: action, fields: [("form", try sealed(purpose, payload, visit))])
    }

    /// The same as a link, for what leaves the broker: `form-action` would have to name where a form's redirect leads.
    func link(_ path: String, _ purpose: HostedForms.Purpose, _ payload: some Encodable, _ visit: Visit) throws
        -> String
    {
        "\(path)?form=\(try sealed(purpose, payload, visit))"
    }

    /// `payload` as one text that opens for this browser and purpose alone.
    func sealed(_ purpose: HostedForms.Purpose, _ payload: some Encodable, _ visit: Visit) throws -> String {
        try forms.seal(payload, for: purpose, browser: visit.browser, at: now)
    }

    /// The content of a form; `nil` for one that was not sealed for this browser, or has expired.
    func payload<Payload: Decodable>(
        _ form: String?, _: Payload.Type = Payload.self, for purpose: HostedForms.Purpose, _ visit: Visit
    ) -> Payload? {
        let now = now
        return visit.knownAs.lazy.compactMap { [forms] in forms.open(form, for: purpose, browser: $0, at: now) }.first
    }

    /// The content of a form that was sealed for this browser too long ago.
    func expired<Payload: Decodable>(
        _ form: String?, _: Payload.Type = Payload.self, for purpose: HostedForms.Purpose, _ visit: Visit
    ) -> Payload? {
        let now = now
        return visit.knownAs.lazy.compactMap { [forms] in
            forms.openExpired(form, for: purpose, browser: $0, at: now)
        }.first
    }

    /// A problem of a request whose cookies were refused; nothing else is sealed without a browser.
    func anonymousProblem(_ form: String?) -> PageRequest.Problem? {
        let now = now
        guard let page: PageRequest = forms.open(form, for: .page, browser: "", at: now),
            case .problem(let problem) = page
        else { return nil }
        return problem
    }

    private func remember(_ visit: Visit, in response: inout Response) {
        guard visit.knownAs.isEmpty else { return }
        let own = name("broker-browser-" + visit.browser.prefix(8))
        let cookie = SetCookie(own, to: visit.browser, maxAge: WebSessions.lifetime)
        response.headers.append(.init(name: .setCookie, value: cookie.header))
    }

    private static let referrerPolicy = HTTPField.Name.known("Referrer-Policy")
}
