import BrokerStore
import HTTPTypes
import Hummingbird

/// Routes that browsers open as pages: their errors are pages too.
struct HostedRoutes {
    let routes: Routes
    let pages: HostedPages

    func on(
        _ method: HTTPRequest.Method, _ path: String, takesLong: Bool = false, _ handler: @escaping Routes.Handler
    ) {
        let pages = pages
        routes.on(method, path, pages: .none, counting: .byProof, takesLong: takesLong) { request, context in
            // A prefetch would consume what the user's click needs.
            guard !request.isPrefetch else {
                return Response(status: .serviceUnavailable, headers: [.cacheControl: "no-store"])
            }
            do {
                try pages.count(request)
                return try await handler(request, context)
            } catch {
                let visit = Visit(request, in: pages.languages, requestID: context.requestID)
                return try await Self.page(telling: RequestAdmission.judge(error), to: visit, pages)
            }
        }
    }

    /// The page for an error.
    ///
    /// - Throws: `error`, when there is no page for it.
    static func page(telling error: any Error, to visit: Visit, _ pages: HostedPages) async throws -> Response {
        guard let cause = cause(of: error) else { throw error }
        let client = clientID(of: error)
        if let error = error as? BrokerError { RequestAdmission.note(error) }
        if let client { RequestAdmission.note(clientID: client) }
        let exit = await pages.exit(after: cause, of: client)
        var response = pages.problem(cause, to: visit, status: cause.status, exit: exit)
        if cause.status == .serviceUnavailable { response.headers[.retryAfter] = "5" }
        if case BrokerError.tooManyAttempts(let seconds) = error { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    /// The page for an unknown path.
    static func notFound(_ pages: HostedPages) -> @Sendable (Request, BrokerRequestContext) -> Response {
        { request, context in
            let cause = ErrorPage.Cause.notFound
            return pages.problem(
                cause, to: Visit(request, in: pages.languages, requestID: context.requestID), status: cause.status)
        }
    }

    /// The cause that the error page shows; `nil` for errors without a page.
    private static func cause(of error: any Error) -> ErrorPage.Cause? {
        switch error {
        case is ForeignRequest, is CookieError: .notAllowed
        case let error as ParameterError: .badRequest(error.text)
        case NotRedirectable.clientUnknown(let id): .clientUnknown(id: id)
        case NotRedirectable.redirectURINotRegistered(_, let uri): .redirectNotRegistered(uri: uri)
        case NotRedirectable.requestUnknown: .attemptUnknownOrUsed
        case let error as StoreError where !error.isOurs: .unavailable
        case let error as BrokerError: ErrorPage.Cause(error, provider: nil)
        default: nil
        }
    }

    /// The registered client whose request failed.
    private static func clientID(of error: any Error) -> String? {
        switch error {
        case NotRedirectable.redirectURINotRegistered(let id, _), NotRedirectable.requestUnknown(let id): id
        default: nil
        }
    }
}

extension HostedPages {
    /// The one way out of an error page that has nothing to continue: the start page that the client has registered,
    /// otherwise the site's. No address of the request is one.
    ///
    /// - Parameters:
    ///   - cause: What went wrong.
    ///   - clientID: The client that waits, or waited.
    /// - Returns: The link; nil where nothing is registered and no sign-in was begun.
    func exit(after cause: ErrorPage.Cause, of clientID: String? = nil) async -> ErrorPage.Exit? {
        // In an outage the page is shown with the site's.
        if let clientID, let client = (try? await openID.clients.client(id: clientID)) ?? nil, let href = client.homeURL
        {
            return .home(name: client.name, href: href)
        }
        return home ?? (cause.isOfSignIn ? .startAgain(href: "/sign-in") : nil)
    }

    /// The way out to the start page that the site has registered.
    var home: ErrorPage.Exit? { brand.homeHref.map { .home(name: siteName, href: $0) } }

    /// The page for a link or form that is no longer valid. It leads to the app that waited, where `interaction` was in an
    /// expired form of this browser.
    func invalidForm(_ interaction: Interaction?, _ visit: Visit) async -> Response {
        let cause: ErrorPage.Cause = interaction == nil ? .attemptUnknownOrUsed : .expired
        return problem(cause, to: visit, exit: await exit(after: cause, of: interaction?.clientID))
    }
}

extension ErrorPage.Cause {
    /// Whether a sign-in ended that can begin again.
    fileprivate var isOfSignIn: Bool {
        switch self {
        case .attemptUnknownOrUsed, .expired: true
        default: false
        }
    }
}

extension Interaction {
    /// The client that waits for the outcome.
    var clientID: String? {
        if case .authorize(let request) = continuation { request.clientID } else { nil }
    }
}

extension Request {
    /// Whether the request is a prefetch: `Sec-Purpose` (Fetch §3.8), and the fields that preceded it.
    var isPrefetch: Bool {
        Self.purposes.contains { name in
            guard let purpose = headers[name]?.lowercased() else { return false }
            return ["prefetch", "prerender", "preview"].contains { purpose.contains($0) }
        }
    }

    private static let purposes = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].compactMap { HTTPField.Name($0) }
}

extension Visit {
    /// Of a request whose cookies are refused or not needed; it has no session.
    init(_ request: Request, in languages: PageLanguages, requestID: String) {
        self.init(
            session: nil, browser: "", knownAs: [""], cookies: RequestCookies(header: ""),
            language: languages.language(
                uiLocales: (try? QueryParameters(queryOf: request))?["ui_locales"],
                acceptLanguage: request.headers[.acceptLanguage]),
            requestID: requestID, target: request.head.path ?? "/", place: Place(request))
    }
}
