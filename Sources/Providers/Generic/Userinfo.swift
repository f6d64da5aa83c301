import ProviderKit

/// `options.userinfoToken`: the place of the access token in requests for the profile.
struct UserinfoToken: DeclaredOptions {
    enum Place: String, CaseIterable, DeclaredValue {
        case header, query
    }

    var place = Place.header
    var name: String?
    var scheme: String?

    static let declaration = DeclaredObject<UserinfoToken>(
        "The place of the access token in the requests of `userinfoUrl` and `emails`.",
        [
            .key(
                "in", \.place,
                "a header field, or the query, which is weaker: servers and proxies write it into their logs"
            ).initially("header"),
            .key("name", \.name, "the name of the field or parameter")
                .initially(inWords: "`Authorization`, in the query `access_token`")
                .narrowed(by: ["pattern": "^[A-Za-z0-9._~-]{1,64}$"]),
            .key("scheme", \.scheme, "what stands before the token in a field, with a space; empty for the bare token")
                .initially(inWords: "`Bearer` in `Authorization`, else nothing")
                .narrowed(by: ["pattern": "^[A-Za-z0-9_-]{0,32}$"]),
        ])
}

/// `options.userinfoRequest`: the method and the body of the request for the profile.
struct UserinfoRequest: DeclaredOptions {
    enum Method: String, CaseIterable, DeclaredValue {
        case get = "GET"
        case post = "POST"
    }

    var method = Method.get
    var format = BodyFormat.json
    var body: JSONValue?

    static let declaration = DeclaredObject<UserinfoRequest>(
        "The request of `userinfoUrl`, where it is not a plain `GET`.",
        [
            .key("method", \.method, "the method").initially("GET"),
            .key("format", \.format, "the format of the body").initially("json"),
            .key("body", \.body, "the body of a `POST`; a GraphQL query is `{\"query\": \"{ me { id } }\"}`")
                .narrowed(by: ["type": "object"]),
        ])
}

/// The format of a body.
enum BodyFormat: String, CaseIterable, DeclaredValue {
    case form, json
}

/// The requests with a user's access token: for the profile and for the addresses.
struct UserinfoCall: Sendable {
    private let token: (place: UserinfoToken.Place, name: String, scheme: String)
    private let headers: [(name: String, value: String)]
    private let body: Body?

    private enum Body: Sendable {
        case form([(name: String, value: String)])
        case json(JSONValue)
    }

    /// Whether the access token is in the query.
    var hasTokenInQuery: Bool { token.place == .query }

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` and the fix.
    init(
        _ request: UserinfoRequest, token: UserinfoToken, headers: [String: String]
    ) throws(ProviderError) {
        let name = token.name ?? (token.place == .header ? "Authorization" : "access_token")
        let isAuthorization = token.place == .header && name.lowercasedASCII == "authorization"
        self.token = (token.place, name, token.scheme ?? (isAuthorization ? "Bearer" : ""))
        self.headers = try Self.checked(headers, besides: token.place == .header ? name : "Authorization")
        body = try Self.body(of: request)
        switch token.place {
        case .header:
            guard isAuthorization || Self.isField(name) else {
                throw Self.refusal("userinfoToken.name cannot be \(name): that is no header field for a token")
            }
        case .query:
            guard ParameterName.isValid(name) else { throw Self.refusal("userinfoToken.name is no parameter's name") }
            guard token.scheme == nil else {
                throw Self.refusal("userinfoToken.scheme has no place in a query: remove it")
            }
        }
        guard self.token.scheme.wholeMatch(of: /[A-Za-z0-9_-]{0,32}/) != nil else {
            throw Self.refusal("userinfoToken.scheme must be at most 32 letters, digits, - and _")
        }
    }

    /// The request for the profile; with `inPath` the token is the last segment of the path, and nowhere else.
    func profileRequest(_ url: String, with accessToken: String, inPath: Bool) -> UpstreamRequest {
        var request = UpstreamRequest(body == nil ? .get : .post, url, at: .fetchProfile)
        switch body {
        case nil: break
        case .form(let form): request = request.sending(form: form)
        case .json(let json): request = request.sending(json: json)
        }
        return inPath ? withHeaders(request).secretPath(accessToken) : self.request(request, with: accessToken)
    }

    /// A `GET` request with the token.
    func request(_ url: String, with accessToken: String) -> UpstreamRequest {
        request(UpstreamRequest(.get, url, at: .fetchProfile), with: accessToken)
    }

    private func request(_ request: UpstreamRequest, with accessToken: String) -> UpstreamRequest {
        let request = withHeaders(request)
        return switch token.place {
        case .header:
            request.header(token.name, token.scheme.isEmpty ? accessToken : "\(token.scheme) \(accessToken)")
        case .query: request.secretParameter(token.name, accessToken)
        }
    }

    private func withHeaders(_ request: UpstreamRequest) -> UpstreamRequest {
        headers.reduce(request) { $0.header($1.name, $1.value) }
    }

    private static func refusal(_ reason: String) -> ProviderError {
        ProviderError(.configuration, at: .configure, "options." + reason)
    }

    private static func body(of request: UserinfoRequest) throws(ProviderError) -> Body? {
        guard request.method == .post else {
            guard request.body == nil else { throw refusal(#"userinfoRequest.body needs "method": "POST""#) }
            return nil
        }
        let body = request.body ?? [:]
        guard let members = body.object else { throw refusal("userinfoRequest.body must be an object") }
        guard request.format == .form else { return .json(body) }
        let form = members.compactMap { name, value in value.string.map { (name: name, value: $0) } }
        guard form.count == members.count else {
            throw refusal("userinfoRequest.body must have texts only, as it is sent as a form")
        }
        return .form(form)
    }

    /// The provider's additional header fields, without those of the protocol.
    private static func checked(
        _ headers: [String: String], besides tokenField: String
    ) throws(ProviderError) -> [(name: String, value: String)] {
        let headers = headers.sorted { $0.key < $1.key }
        for (name, value) in headers {
            let isTaken = [tokenField.lowercasedASCII, "authorization"].contains(name.lowercasedASCII)
            guard isField(name), !isTaken, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { throw refusal("userinfoHeaders cannot set \(name)") }
        }
        return headers.map { ($0.key, $0.value) }
    }

    /// Whether a configuration may set this header field: letters, digits and hyphen, and none of the protocol's.
    private static func isField(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Za-z0-9-]{1,64}/) != nil && !ownHeaders.contains(name.lowercasedASCII)
    }

    private static let ownHeaders: Set<String> = [
        "connection", "content-length", "content-type", "cookie", "host", "te", "transfer-encoding", "upgrade",
    ]
}

/// The names of parameters that the options may choose.
enum ParameterName {
    static let schema: JSONObject = ["pattern": "^[A-Za-z0-9._~-]{1,64}$"]

    static func isValid(_ name: String) -> Bool { name.wholeMatch(of: /[A-Za-z0-9._~-]{1,64}/) != nil }
}
