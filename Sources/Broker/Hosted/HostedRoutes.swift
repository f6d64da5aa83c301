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
                return try Self.page(telling: RequestAdmission.judge(error), to: visit, pages)
            }
        }
    }

    /// The page for an error.
    ///
    /// - Throws: `error`, when there is no page for it.
    static func page(telling error: any Error, to visit: Visit, _ pages: HostedPages) throws -> Response {
        guard let cause = cause(of: error) else { throw error }
        var response = pages.problem(cause, to: visit, status: cause.status, exit: cause.exit)
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
        case NotRedirectable.clientUnknown: .clientUnknown
        case NotRedirectable.redirectURINotRegistered: .redirectNotRegistered
        case NotRedirectable.requestUnknown: .attemptUnknownOrUsed
        case let error as StoreError where !error.isOurs: .unavailable
        case let error as BrokerError: ErrorPage.Cause(error, provider: nil)
        default: nil
        }
    }
}

extension ErrorPage.Cause {
    /// The link of the page for an error that no interaction is known for.
    fileprivate var exit: ErrorPage.Exit? {
        if case .attemptUnknownOrUsed = self { .startAgain(href: "/sign-in") } else { nil }
    }
}

extension Request {
    /// Whether the request is a prefetch: `Sec-Purpose` (Fetch §3.8), and the fields that preceded it.
    fileprivate var isPrefetch: Bool {
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
