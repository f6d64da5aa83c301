import HTTPTypes
import Hummingbird

/// Which pages may call the API (contract §1.4): the origins the API keys list. No cookies, so no credentials.
struct CrossOrigin: Sendable {
    private let origins: Set<String>
    private let allowsAny: Bool

    init(_ keys: [Configuration.APIKey]) {
        origins = Set(keys.flatMap(\.origins))
        allowsAny = origins.contains("*")
    }

    /// The answer to a preflight, or `nil` when the request is none.
    func preflight(_ request: Request) -> Response? {
        guard request.method == .options, request.headers[.origin] != nil,
            request.headers[.accessControlRequestMethod] != nil
        else { return nil }
        var headers: HTTPFields = [.vary: "Origin, Access-Control-Request-Headers"]
        if allowed(request) != nil {
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
    func decorate(_ response: inout Response, for request: Request) {
        // Also without an Origin: what a shared cache keeps must not serve pages the wrong way.
        if response.headers[.vary] == nil { response.headers[.vary] = "Origin" }
        guard let origin = allowed(request) else { return }
        response.headers[.accessControlAllowOrigin] = origin
    }

    private func allowed(_ request: Request) -> String? {
        guard let origin = request.headers[.origin], allowsAny || origins.contains(origin) else { return nil }
        return origin
    }

    private static let requestPrivateNetwork = HTTPField.Name.known("Access-Control-Request-Private-Network")
    private static let allowPrivateNetwork = HTTPField.Name.known("Access-Control-Allow-Private-Network")
}
