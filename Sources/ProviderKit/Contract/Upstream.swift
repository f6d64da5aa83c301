import Foundation

/// The HTTP client of a plugin. The broker implements it with limits, deadlines and address checks; tests implement it
/// with scripted responses.
public protocol Upstream: Sendable {
    /// Sends one request and returns the response, with any status.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/upstream`` when no response arrived in time or it
    ///   exceeds a limit, ``ProviderError/Fault/configuration`` when the URL is not allowed.
    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse
}

/// One HTTP request of a plugin.
public struct UpstreamRequest: Sendable {
    /// The supported HTTP methods.
    public enum Method: String, Sendable, Hashable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The HTTP method.
    public let method: Method
    /// The absolute URL, without ``secretSegment`` and ``secretQuery``.
    public private(set) var url: String
    /// The step of this request, for errors.
    public let step: ProviderError.Step
    /// The last segment of the path, where that is a secret.
    public private(set) var secretSegment: Secret?
    /// The parameters of the query that are secrets. ``url`` does not have them, so that no log, error or trace shows
    /// them.
    public private(set) var secretQuery: [(name: String, value: Secret)] = []
    /// The header fields, in order; at most one of a name.
    public private(set) var headers: [(name: String, value: String)]
    /// The body; absent for requests without one.
    public private(set) var body: [UInt8]?

    /// Makes a request that accepts JSON.
    public init(_ method: Method, _ url: String, at step: ProviderError.Step) {
        self.method = method
        self.url = url
        self.step = step
        headers = [("Accept", "application/json")]
    }

    /// The same request to another URL.
    func at(_ url: String) -> UpstreamRequest {
        var copy = self
        copy.url = url
        return copy
    }

    /// The request with a header, which replaces an earlier one of that name.
    public func header(_ name: String, _ value: String) -> UpstreamRequest {
        var copy = self
        copy.headers.removeAll { $0.name.lowercased() == name.lowercased() }
        copy.headers.append((name, value))
        return copy
    }

    /// Adds a secret parameter to the query, for providers that take a token nowhere else (RFC 6750 §2.3): their own logs
    /// may have it.
    public func secretParameter(_ name: String, _ value: String) -> UpstreamRequest {
        var copy = self
        copy.secretQuery.append((name, Secret(value)))
        return copy
    }

    /// Adds a secret segment to the end of the path, for providers that take a token nowhere else.
    public func secretPath(_ value: String) -> UpstreamRequest {
        var copy = self
        copy.secretSegment = Secret(value)
        return copy
    }

    /// The URL with its secrets, for the HTTP client that sends the request and for nothing else.
    public var sentURL: String {
        var parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if let secretSegment {
            parts[0] += (parts[0].hasSuffix("/") ? "" : "/") + FormEncoding.encode(secretSegment.reveal())
        }
        if !secretQuery.isEmpty {
            let pairs = FormEncoding.encode(secretQuery.map { (name: $0.name, value: $0.value.reveal()) })
            parts = [parts[0], (parts.dropFirst() + [pairs]).joined(separator: "&")]
        }
        return parts.joined(separator: "?")
    }

    /// Authenticates with a bearer token (RFC 6750 §2.1).
    public func bearer(_ token: String) -> UpstreamRequest {
        header("Authorization", "Bearer \(token)")
    }

    /// Authenticates with a client id and secret, form-encoded first (RFC 6749 §2.3.1).
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
        copy.body = json.serializedBytes()
        return copy
    }
}

/// The HTTP response of a provider.
public struct UpstreamResponse: Sendable {
    /// The HTTP status.
    public let status: Int
    /// The header fields, in the order of the response.
    public let headers: [(name: String, value: String)]
    /// The body, unchanged.
    public let body: [UInt8]

    /// Makes a response, for implementations of ``Upstream``.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header of that name, in any case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The seconds of a `Retry-After` header; absent when it has a date or is missing (RFC 9110 §10.2.3).
    public var retryAfter: Int? {
        header("Retry-After").flatMap { Int($0) }.map { min(max($0, 0), 86_400) }
    }
}
