import HTTPTypes
import Hummingbird
import Logging

/// Which pages may call the API (contract §1.4): the origins the API keys list, for OAuth's endpoints also those of public
/// clients' own pages, and for public documents any. No cookies, so no credentials.
struct CrossOrigin: Sendable {
    private let origins: Set<String>
    private let allowsAny: Bool
    private let clients: Clients

    init(_ keys: [Configuration.APIKey], clients: Clients) {
        origins = Set(keys.flatMap(\.origins))
        allowsAny = origins.contains("*")
        self.clients = clients
    }

    /// What the page behind a request may do.
    enum Permission: Sendable, Equatable {
        case none
        /// Whatever page asks.
        case anyone
        case origin(String)
    }

    /// What the page that sends a request to `path` may do.
    func permission(_ request: Request, path: Substring) async -> Permission {
        guard let origin = request.headers[.origin] else { return .none }
        if OAuthPaths.open.contains(String(path)) { return .anyone }
        if allowsAny || origins.contains(origin) { return .origin(origin) }
        guard OAuthPaths.calledByPages.contains(String(path)) else { return .none }
        do {
            return try await clients.areServed(at: origin) ? .origin(origin) : .none
        } catch {
            // The request itself fails as well and says why.
            Logger.current.error("the clients cannot be read", metadata: ["error": "\(error)"])
            return .none
        }
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
        // Also without an Origin: what a shared cache keeps must not serve pages the wrong way.
        if response.headers[.vary] == nil { response.headers[.vary] = "Origin" }
        switch permission {
        case .none: break
        case .anyone: response.headers[.accessControlAllowOrigin] = "*"
        case .origin(let origin): response.headers[.accessControlAllowOrigin] = origin
        }
    }

    private static let requestPrivateNetwork = HTTPField.Name.known("Access-Control-Request-Private-Network")
    private static let allowPrivateNetwork = HTTPField.Name.known("Access-Control-Allow-Private-Network")
}
