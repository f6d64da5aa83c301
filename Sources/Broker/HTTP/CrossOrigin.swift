import HTTPTypes
import Hummingbird

/// Cross-origin resource sharing (contract §1.4).
///
/// The API serves pages at the origins of the API keys. OAuth endpoints also serve pages of public clients, and public
/// documents any page. Answers allow no credentials, since the API reads no cookies.
struct CrossOrigin: Sendable {
    private let origins: Set<String>
    private let allowsAny: Bool
    private let servesClient: @Sendable (_ origin: String) -> Bool

    /// - Parameters:
    ///   - keys: The API keys with their origins.
    ///   - servesClient: Whether a public OAuth client has pages at an origin. Strangers ask this, so it must not read the
    ///     store.
    init(_ keys: [Configuration.APIKey], servesClient: @escaping @Sendable (_ origin: String) -> Bool) {
        origins = Set(keys.flatMap(\.origins))
        allowsAny = origins.contains("*")
        self.servesClient = servesClient
    }

    /// The pages whose scripts may call a path.
    enum Pages: Sendable {
        /// None: the path is a page of its own, or is called by servers.
        case none
        /// Any page: the path is a public document.
        case any
        /// Those at the origins of the API keys.
        case ofAPIKeys
        /// Those, and the pages of public OAuth clients.
        case ofClients
    }

    /// The permission of the page that sent a request.
    enum Permission: Sendable, Equatable {
        case none
        /// Any page.
        case anyone
        case origin(String)
    }

    /// The permission of the page that sent a request, at a path for `pages`.
    func permission(_ request: Request, for pages: Pages) -> Permission {
        guard pages != .none, let origin = request.headers[.origin] else { return .none }
        if pages == .any { return .anyone }
        if allowsAny || origins.contains(origin) { return .origin(origin) }
        return pages == .ofClients && servesClient(origin) ? .origin(origin) : .none
    }

    /// The answer to a preflight, or `nil` when the request is none.
    func preflight(_ request: Request, _ permission: Permission) -> Response? {
        guard request.method == .options, request.headers[.origin] != nil,
            request.headers[.accessControlRequestMethod] != nil
        else { return nil }
        var headers: HTTPFields = [.vary: "Origin, Access-Control-Request-Headers"]
        if permission != .none {
            headers[.accessControlAllowMethods] = "GET,HEAD,PUT,PATCH,POST,DELETE"
            headers[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
            headers[.accessControlMaxAge] = "3600"
            if request.headers[Self.requestPrivateNetwork] != nil {
                headers[Self.allowPrivateNetwork] = "true"
            }
        }
        return Response(status: .noContent, headers: headers)
    }

    /// Lets the page of an allowed origin read the answer, errors included.
    func decorate(_ response: inout Response, _ permission: Permission) {
        // Also without an Origin: a shared cache must not serve this answer to a page.
        if !response.headers.contains(.vary) { response.headers.append(Self.varyByOrigin) }
        switch permission {
        case .none: break
        case .anyone: response.headers[.accessControlAllowOrigin] = "*"
        case .origin(let origin): response.headers[.accessControlAllowOrigin] = origin
        }
    }

    private static let varyByOrigin = HTTPField(name: .vary, value: "Origin")
    private static let requestPrivateNetwork = HTTPField.Name.known("Access-Control-Request-Private-Network")
    private static let allowPrivateNetwork = HTTPField.Name.known("Access-Control-Allow-Private-Network")
}
