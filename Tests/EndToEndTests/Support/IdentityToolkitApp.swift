import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit
import Testing

/// An app of the broker: calls its API over real sockets.
struct IdentityToolkitApp: Sendable {
    let url: String
    let apiKey: String
    /// The address of this machine that its requests come from; the system's choice if absent.
    var localAddress: String?

    struct Answer: Sendable, CustomStringConvertible {
        let status: Int
        let headers: HTTPHeaders
        let text: String

        /// The body; `null` when it is not JSON.
        var body: JSONValue { (try? JSONValue(parsing: text)) ?? .null }
        /// The code at the start of an error's message, such as `INVALID_IDP_RESPONSE`.
        var errorCode: String? {
            (body["error"]?["message"]?.string?.prefix { $0 != " " }).map(String.init)
        }
        var description: String { "\(status) \(text)" }
    }

    /// The tokens of a signed-in user.
    struct Session: Sendable {
        let localID: String
        let idToken: String
        let refreshToken: String
    }

    /// Never shut down: it exists for the whole test run. Failed connections are not retried.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        // Before the broker does so, which ends idle connections after 15 seconds: a request could be on its way then.
        configuration.connectionPool.idleTimeout = .seconds(5)
        // A whole suite shares two cores: waiting for a connection is no failure of what is tested.
        configuration.timeout.connect = .seconds(120)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: String? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url + path)
        request.method = HTTPMethod(rawValue: method)
        request.localAddress = localAddress
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await Self.http.execute(request, timeout: .seconds(120))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        return Answer(
            status: Int(response.status.code), headers: response.headers, text: String(buffer: bytes))
    }

    func get(_ path: String) async throws -> Answer { try await send("GET", path) }

    /// Returns when the broker says so of itself: of an outage within five seconds, of its end at once.
    func becomes(ready: Bool) async throws {
        while try await get("/readyz").status != (ready ? 200 : 503) {}
    }

    /// Posts JSON with the app's API key.
    func post(_ path: String, _ body: JSONValue) async throws -> Answer {
        try await send(
            "POST", "\(path)?key=\(apiKey)", headers: [("Content-Type", "application/json")], body: body.serialized())
    }

    /// `accounts:signInWithIdp` with these fields in the form it calls `postBody`.
    func signIn(
        _ fields: [(name: String, value: String)], provider: String = "github.com",
        requestURI: String = "http://localhost"
    ) async throws -> Answer {
        try await post(
            "/v1/accounts:signInWithIdp",
            [
                "requestUri": .string(requestURI), "returnSecureToken": true,
                "postBody": .string(FormEncoding.encode(fields + [("providerId", provider)])),
            ])
    }

    func signIn(accessToken: String) async throws -> Answer {
        try await signIn([("access_token", accessToken)])
    }

    func signUp() async throws -> Answer {
        try await post("/v1/accounts:signUp", ["returnSecureToken": true])
    }

    func refresh(_ refreshToken: String) async throws -> Answer {
        try await post(
            "/v1/token", ["grant_type": "refresh_token", "refresh_token": .string(refreshToken)])
    }

    func lookup(_ idToken: String) async throws -> Answer {
        try await post("/v1/accounts:lookup", ["idToken": .string(idToken)])
    }
}

extension IdentityToolkitApp.Session {
    /// The session in a successful answer of a sign-in or sign-up.
    init(_ answer: IdentityToolkitApp.Answer) throws {
        try #require(answer.status == 200, "\(answer)")
        localID = try #require(answer.body["localId"]?.string)
        idToken = try #require(answer.body["idToken"]?.string)
        refreshToken = try #require(answer.body["refreshToken"]?.string)
    }
}
