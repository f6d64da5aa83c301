import Foundation

/// The way from a plugin to its provider. The broker implements it with limits, deadlines and address checks; tests
/// implement it with scripted answers.
public protocol Upstream: Sendable {
    /// Sends one request and collects the answer, whatever its status.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/upstream`` when no answer came in time or it broke
    ///   a limit, ``ProviderError/Fault/configuration`` when the URL may not be asked at all.
    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse
}

/// One HTTP request of a plugin.
public struct UpstreamRequest: Sendable {
    /// The methods providers are asked with.
    public enum Method: String, Sendable, Hashable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The HTTP method.
    public let method: Method
    /// The absolute URL.
    public let url: String
    /// The step this request belongs to, for errors.
    public let step: ProviderError.Step
    /// The header fields, in order; at most one of a name.
    public private(set) var headers: [(name: String, value: String)]
    /// The body; absent for requests without one.
    public private(set) var body: [UInt8]?

    /// A request that asks for JSON.
    public init(_ method: Method, _ url: String, at step: ProviderError.Step) {
        self.method = method
        self.url = url
        self.step = step
        headers = [("Accept", "application/json")]
    }

    /// The same request with a header set; an earlier one of that name gives way.
    public func header(_ name: String, _ value: String) -> UpstreamRequest {
        var copy = self
        copy.headers.removeAll { $0.name.lowercased() == name.lowercased() }
        copy.headers.append((name, value))
        return copy
    }

    /// Authenticates with a bearer token (RFC 6750 §2.1).
    public func bearer(_ token: String) -> UpstreamRequest {
        header("Authorization", "Bearer \(token)")
    }

    /// Authenticates with a client id and secret, form-encoded first as RFC 6749 §2.3.1 wants.
    public func basic(_ clientID: String, _ secret: Secret) -> UpstreamRequest {
        let pair = "\(FormEncoding.encode(clientID)):\(FormEncoding.encode(secret.reveal()))"
        return header("Authorization", "Basic \(Data(pair.utf8).base64EncodedString())")
    }

    /// Sends an `application/x-www-form-urlencoded` body.
    public func sending(form: [(name: String, value: String)]) -> UpstreamRequest {
        var copy = header("Content-Type", "application/x-www-form-urlencoded")
        copy.body = Array(FormEncoding.encode(form).utf8)
        return copy
    }

    /// Sends a JSON body.
    public func sending(json: JSONValue) -> UpstreamRequest {
        var copy = header("Content-Type", "application/json")
        copy.body = Array(json.serialized().utf8)
        return copy
    }
}

/// What a provider answered.
public struct UpstreamResponse: Sendable {
    /// The HTTP status.
    public let status: Int
    /// The header fields, in the order they came.
    public let headers: [(name: String, value: String)]
    /// The body, as it came.
    public let body: [UInt8]

    /// An answer, for implementations of ``Upstream``.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header of that name, in any case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Seconds a `Retry-After` header asks for; absent when it names a date or nothing (RFC 9110 §10.2.3).
    public var retryAfter: Int? {
        header("Retry-After").flatMap { Int($0) }.map { min(max($0, 0), 86_400) }
    }
}
