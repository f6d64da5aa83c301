import Crypto
import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import Synchronization

/// A provider that takes a request only as its documentation describes it, and answers with the samples.
final class StandIn: Upstream {
    static let clientSecret = "stand-in-secret-of-more-than-32-bytes"
    static let redirectURI = "https://broker.example/oauth/callback/stand-in"
    static let code = "stand-in-code"
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    let quirks: ProviderQuirks
    let clientID: String
    private let keys: IssuerKeys?
    private let state = Mutex(State())

    private struct State {
        var nonce: String?
        var challenge: String?
        var refusals: [String] = []
    }

    /// - Throws: ``Refusal`` for an algorithm that no ID token is signed with.
    init(_ quirks: ProviderQuirks) throws {
        self.quirks = quirks
        clientID = quirks.clientId ?? "stand-in-client"
        keys = try quirks.idToken.map { token in
            if token.alg == "HS256" { return IssuerKeys(clientSecret: Self.clientSecret) }
            guard let algorithm = IDTokenPolicy.Algorithm(rawValue: token.alg) else {
                throw Refusal(reason: "ID tokens are not signed with \(token.alg)")
            }
            return IssuerKeys(algorithm: algorithm)
        }
    }

    /// The reason for which a request differs from the documentation.
    struct Refusal: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }

    /// What differed from the documentation.
    var refusals: [String] { state.withLock { $0.refusals } }

    /// Answers an authorization request.
    ///
    /// - Returns: The parameters of the redirection beside the code and the state.
    /// - Throws: ``Refusal``.
    func authorize(_ url: String, state sent: String) throws -> [String: String] {
        let request = UpstreamRequest(.get, url, at: .redeem)
        let rules = quirks.authorization
        try require(url.hasAddress(of: rules.url), "the authorization endpoint is \(rules.url), not \(url)")
        let parameters: JSONObject = [
            rules.clientIdName ?? "client_id": .string(clientID), "redirect_uri": .string(Self.redirectURI),
            "state": .string(sent),
        ]
        for (name, value) in parameters.merged(with: rules.requires ?? [:]) {
            try check("the authorization request", name, request.queryValue(name), value)
        }
        for name in rules.refuses ?? [] {
            try require(request.queryValue(name) == nil, "the authorization endpoint refuses \(name)")
        }
        state.withLock {
            ($0.nonce, $0.challenge) = (request.queryValue("nonce"), request.queryValue("code_challenge"))
        }
        return quirks.callback ?? [:]
    }

    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        do {
            return .json(try answer(to: request))
        } catch {
            let reason = "\(error)"
            state.withLock { $0.refusals.append(reason) }
            return .json(["error": "invalid_request", "error_description": .string(reason)], status: 400)
        }
    }

    private func answer(to request: UpstreamRequest) throws -> JSONValue {
        let url = request.sentURL
        if let discovery = quirks.discovery, url == discovery.url { return .object(discovery.document) }
        if let keys, url == quirks.jwks ?? quirks.discovery?.document["jwks_uri"]?.string {
            return keys.document
        }
        if url.hasAddress(of: quirks.token.url), request.step == .redeem { return try tokens(for: request) }
        for endpoint in [quirks.emails, quirks.userinfo].compactMap(\.self)
        where url.hasAddress(of: filled(endpoint.url)) { return try answer(of: endpoint, to: request) }
        throw Refusal(reason: "there is no endpoint \(request.method.rawValue) \(url)")
    }

    private func tokens(for request: UpstreamRequest) throws -> JSONValue {
        let rules = quirks.token
        try require(request.method.rawValue == rules.method, "the token request is \(rules.method)")
        let fields = try request.fields(rules.format)
        let (idName, secretName) = (rules.clientIdName ?? "client_id", rules.clientSecretName ?? "client_secret")
        var wanted: JSONObject = ["code": .string(Self.code), "redirect_uri": .string(Self.redirectURI)]
        var unwanted = rules.refuses ?? []
        let authorization = request.headerValue("Authorization")
        switch rules.clientAuthentication {
        case .basic:
            let pair = Data("\(clientID):\(Self.clientSecret)".utf8).base64EncodedString()
            try require(authorization == "Basic " + pair, "the client authenticates with Basic")
            unwanted.append(secretName)
        case .body:
            try require(authorization == nil, "the token request has no Authorization")
            wanted[idName] = .string(clientID)
            wanted[secretName] = .string(Self.clientSecret)
        case .none:
            try require(authorization == nil, "the token request has no Authorization")
            wanted[idName] = .string(clientID)
            unwanted.append(secretName)
        }
        for (name, value) in wanted.merged(with: rules.requires ?? [:]) where !unwanted.contains(name) {
            try check("the token request", name, fields[name], value)
        }
        for name in unwanted { try require(fields[name] == nil, "the token endpoint refuses \(name)") }
        try check(headers: rules.headers, of: request)
        if let challenge = state.withLock({ $0.challenge }) {
            let digest = SHA256.hash(data: Data((fields["code_verifier"] ?? "").utf8))
            try require(Base64URL.encode(Array(digest)) == challenge, "code_verifier fits code_challenge")
        }
        guard let idToken = try idToken(), var answer = rules.answer.object else { return rules.answer }
        answer["id_token"] = .string(idToken)
        return .object(answer)
    }

    private func idToken() throws -> String? {
        guard let sample = quirks.idToken, let keys else { return nil }
        var claims = sample.claims
        let seconds = Int64(Self.now.timeIntervalSince1970)
        claims["aud"] = claims["aud"] ?? .string(clientID)
        (claims["iat"], claims["exp"]) = (.integer(seconds), .integer(seconds + 600))
        claims["nonce"] = state.withLock { $0.nonce }.map(JSONValue.string)
        return keys.token(claims, now: Self.now)
    }

    private func answer(of endpoint: ProviderQuirks.Endpoint, to request: UpstreamRequest) throws -> JSONValue {
        let place = endpoint.token
        let method = endpoint.method ?? "GET"
        try require(request.method.rawValue == method, "\(endpoint.url) is asked with \(method)")
        let pointer = quirks.token.accessToken ?? "/access_token"
        guard let token = JSONPointer(pointer).flatMap({ quirks.token.answer[$0]?.string }) else {
            throw Refusal(reason: "the sample has no access token at \(pointer)")
        }
        let name = place?.name ?? "Authorization"
        switch place?.place ?? .header {
        case .header:
            let scheme = place?.scheme ?? "Bearer"
            let wanted = scheme.isEmpty ? token : "\(scheme) \(token)"
            try require(request.headerValue(name) == wanted, "the token is \(name): \(wanted)")
            let isElsewhere = name.lowercased() != "authorization" && request.headerValue("Authorization") != nil
            try require(!isElsewhere, "there is no Authorization at \(endpoint.url)")
        case .query:
            try require(request.queryValue(name) == token, "the token is \(name) of the query")
            try require(request.headerValue("Authorization") == nil, "there is no Authorization at \(endpoint.url)")
        case .path:
            try require(endpoint.url.contains(token), "the token is in the path of the sample")
            try require(request.headerValue("Authorization") == nil, "there is no Authorization at \(endpoint.url)")
        }
        for (name, value) in filled(endpoint.url).queryPairs {
            try check("the request to \(endpoint.url)", name, request.queryValue(name), .string(value))
        }
        try check(headers: endpoint.headers, of: request)
        if let body = endpoint.requestBody {
            let fields = try request.fields(endpoint.format ?? .json)
            for (name, value) in body { try check("the request to \(endpoint.url)", name, fields[name], value) }
        }
        return endpoint.pages?.first { $0.url == request.url }?.answer ?? endpoint.answer
    }
}

extension StandIn {
    fileprivate func check(headers: [String: String]?, of request: UpstreamRequest) throws {
        for (name, value) in headers ?? [:] {
            try check("the request to \(request.url)", name, request.headerValue(name), .string(value))
        }
    }

    /// Compares a value with that of the documentation; `null` stands for any.
    fileprivate func check(_ request: String, _ name: String, _ value: String?, _ wanted: JSONValue) throws {
        guard let value else { throw Refusal(reason: "\(request) has \(name)") }
        guard !wanted.isNull else { return }
        let text = filled(wanted.string ?? wanted.serialized())
        try require(value == text, "\(request) has \(name) \(text), not \(value)")
    }

    /// A text with the client's id in the place of `{client_id}`.
    fileprivate func filled(_ text: String) -> String { text.replacing("{client_id}", with: clientID) }

    fileprivate func require(_ holds: Bool, _ rule: String) throws {
        guard holds else { throw Refusal(reason: rule) }
    }
}

extension String {
    /// Whether the URL is another one without regard to queries.
    fileprivate func hasAddress(of other: String) -> Bool { prefix { $0 != "?" } == other.prefix { $0 != "?" } }

    fileprivate var queryPairs: [(name: String, value: String)] {
        FormEncoding.decode(utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()) ?? []
    }
}

extension UpstreamRequest {
    fileprivate func headerValue(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The parameters of a request in a format, by their names.
    fileprivate func fields(_ format: ProviderQuirks.TokenEndpoint.Format) throws -> [String: String] {
        let type = headerValue("Content-Type")
        switch format {
        case .form:
            guard type == "application/x-www-form-urlencoded", let pairs = FormEncoding.decode(body ?? []) else {
                throw StandIn.Refusal(reason: "the body is a form")
            }
            return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
        case .json:
            guard type == "application/json", let members = try JSONValue(parsing: body ?? []).object else {
                throw StandIn.Refusal(reason: "the body is JSON")
            }
            return Dictionary(members.map { ($0.name, $0.value.string ?? $0.value.serialized()) }) { first, _ in first }
        case .query:
            guard body == nil else { throw StandIn.Refusal(reason: "there is no body") }
            return Dictionary(sentURL.queryPairs.map { ($0.name, $0.value) }) { first, _ in first }
        }
    }
}

extension JSONObject {
    /// With the members of another object, which count.
    fileprivate func merged(with other: JSONObject) -> JSONObject {
        var object = self
        for (name, value) in other { object[name] = value }
        return object
    }
}
