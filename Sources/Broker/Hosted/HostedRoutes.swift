import BrokerStore
import HTTPTypes
import Hummingbird

/// Routes that browsers open as pages: what goes wrong there is told to a person, not to a program.
struct HostedRoutes {
    let routes: Routes
    let pages: HostedPages

    func on(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Routes.Handler) {
        let pages = pages
        routes.on(method, path, pages: .none) { request, context in
            // A browser that opens an address on its own account would consume what the user's click needs.
            guard !request.isPrefetch else {
                return Response(status: .serviceUnavailable, headers: [.cacheControl: "no-store"])
            }
            do {
                return try await handler(request, context)
            } catch {
                return try Self.page(telling: error, to: Visit(request, requestID: context.requestID), pages)
            }
        }
    }

    /// The page that tells a person what went wrong.
    ///
    /// - Throws: `error`, when it is no page's business.
    static func page(telling error: any Error, to visit: Visit, _ pages: HostedPages) throws -> Response {
        guard let (cause, status) = cause(of: error) else { throw error }
        var response = pages.problem(cause, to: visit, status: status)
        if status == .serviceUnavailable { response.headers[.retryAfter] = "5" }
        return response
    }

    /// The page for a path there is nothing at.
    static func notFound(_ pages: HostedPages) -> @Sendable (Request, BrokerRequestContext) -> Response {
        { request, context in
            pages.problem(.notFound, to: Visit(request, requestID: context.requestID), status: .notFound)
        }
    }

    /// What a person is told; nil for what is no page's business, such as a store that does not answer.
    private static func cause(of error: any Error) -> (ErrorPage.Cause, HTTPResponse.Status)? {
        switch error {
        case is ForeignRequest, is CookieError: (.notAllowed, .forbidden)
        case let error as ParameterError: (.badRequest(error.text), .badRequest)
        case Authorize.Unanswerable.clientUnknown: (.clientUnknown, .badRequest)
        case Authorize.Unanswerable.redirectNotRegistered: (.redirectNotRegistered, .badRequest)
        case Authorize.Unanswerable.requestUnknown: (.attemptUnknownOrUsed, .badRequest)
        case BrokerError.storeUnavailable: (.unavailable, .serviceUnavailable)
        case let error as StoreError where !error.isOurs:
            (.unavailable, .serviceUnavailable)
        case BrokerError.tokenExpired, BrokerError.userNotFound: (.attemptUnknownOrUsed, .badRequest)
        case let error as BrokerError: (ErrorPage.Cause(error, provider: ""), .badRequest)
        default: nil
        }
    }
}

extension Request {
    /// Whether a browser asks ahead of its user: `Sec-Purpose` (Fetch §3.8), and what came before it.
    fileprivate var isPrefetch: Bool {
        Self.purposes.contains { name in
            guard let purpose = headers[name]?.lowercased() else { return false }
            return ["prefetch", "prerender", "preview"].contains { purpose.contains($0) }
        }
    }

    private static let purposes = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].compactMap { HTTPField.Name($0) }
}

extension Visit {
    /// Of a request whose cookies are not believed or not needed: nobody is known.
    init(_ request: Request, requestID: String) {
        self.init(
            session: nil, browser: "", knownAs: [""], cookies: RequestCookies(header: ""),
            language: PageLanguage(
                uiLocales: (try? QueryParameters(queryOf: request))?["ui_locales"],
                acceptLanguage: request.headers[.acceptLanguage]),
            requestID: requestID, target: request.head.path ?? "/", place: Place(request))
    }
}
