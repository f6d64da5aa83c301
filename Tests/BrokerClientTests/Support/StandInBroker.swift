import BrokerClient
import Foundation
import HTTPTypes
import Hummingbird
import JOSE
import ProviderSimulators
import StrictJSON
import Synchronization
import Testing

/// A token endpoint on a socket that answers what a test says, with valid tokens by default.
final class StandInBroker: Sendable {
    struct Call: Sendable {
        let path: String
        let query: String?
        let form: [String: String]
        let json: JSONValue?
        let headers: [String: String]
    }

    struct Reply: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body: String

        static func json(_ object: JSONObject, status: Int = 200, headers: [String: String] = [:]) -> Reply {
            Reply(status: status, headers: headers, body: object.serialized())
        }

        static func refusal(_ error: String, _ text: String = "") -> Reply {
            .json(["error": .string(error), "error_description": .string(text)], status: 400)
        }

        static func business(_ message: String, status: Int = 400) -> Reply {
            .json(["error": ["code": .integer(status), "message": .string(message)]], status: status)
        }
    }

    typealias Handler = @Sendable (Call) async throws -> Reply?

    private struct State {
        var url = ""
        var calls: [Call] = []
        var handler: Handler = { _ in nil }
        var signer: TokenSigner
        var generation = 0
    }

    static let clientID = "app"
    static let redirectURI = "com.example.app:/callback"

    private let state: Mutex<State>

    private init() throws {
        state = Mutex(State(signer: try TokenSigner(keyID: "k1", key: .generate(.es256))))
    }

    var url: String { state.withLock { $0.url } }
    var calls: [Call] { state.withLock { $0.calls } }
    var signer: TokenSigner { state.withLock { $0.signer } }

    func calls(of path: String) -> [Call] { calls.filter { $0.path == path } }

    /// The refreshes that arrived.
    var refreshes: [Call] { calls(of: "/oauth/token").filter { $0.form["grant_type"] == "refresh_token" } }

    /// Answers before the defaults, where it answers anything.
    func answer(_ handler: @escaping Handler) { state.withLock { $0.handler = handler } }

    /// Publishes another key and signs with it.
    func rotateKeys() throws {
        let signer = try TokenSigner(keyID: "k\(Int.random(in: 2...1_000_000))", key: .generate(.es256))
        state.withLock { $0.signer = signer }
    }

    var configuration: BrokerConfiguration {
        get throws {
            BrokerConfiguration(
                issuer: try #require(URL(string: url)), clientID: Self.clientID, redirectURI: Self.redirectURI)
        }
    }

    /// Starts one, lends it to `body` and stops it.
    static func run<Value>(_ body: (StandInBroker) async throws -> Value) async throws -> Value {
        let broker = try StandInBroker()
        let responder = CallbackResponder<BasicRequestContext> { request, _ in try await broker.respond(to: request) }
        return try await LoopbackServer.run(responder) { server in
            broker.state.withLock { $0.url = server.url }
            return try await body(broker)
        }
    }

    private func respond(to request: Request) async throws -> Response {
        var request = request
        let body = String(buffer: try await request.collectBody(upTo: 1 << 20))
        let call = Call(
            path: request.uri.path, query: request.uri.query, form: Self.form(body),
            json: try? JSONValue(parsing: body),
            headers: Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { $1 })
        let handler = state.withLock { state in
            state.calls.append(call)
            return state.handler
        }
        let reply = try await handler(call) ?? (try standard(call))
        var response = Response(
            status: .init(code: reply.status), headers: [.contentType: "application/json"],
            body: .init(byteBuffer: .init(string: reply.body)))
        for (name, value) in reply.headers {
            if let name = HTTPField.Name(name) { response.headers[name] = value }
        }
        return response
    }

    private static func form(_ body: String) -> [String: String] {
        var components = URLComponents()
        components.percentEncodedQuery = body.contains("=") && !body.hasPrefix("{") ? body : nil
        return Dictionary((components.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
    }

    private func standard(_ call: Call) throws -> Reply {
        switch call.path {
        case "/.well-known/openid-configuration": .json(metadata)
        case "/oauth/jwks":
            .json(["keys": [try signer.key.publicKey.jwk(keyID: signer.keyID).jsonValue]])
        case "/oauth/token": .json(try tokens())
        case "/oauth/revoke": .json([:])
        default: .business("NOT_FOUND", status: 404)
        }
    }

    var metadata: JSONObject {
        func endpoint(_ path: String) -> JSONValue { .string(url + path) }
        return [
            "issuer": .string(url), "jwks_uri": endpoint("/oauth/jwks"),
            "authorization_endpoint": endpoint("/oauth/authorize"), "token_endpoint": endpoint("/oauth/token"),
            "revocation_endpoint": endpoint("/oauth/revoke"),
            "device_authorization_endpoint": endpoint("/oauth/device_authorization"),
            "pushed_authorization_request_endpoint": endpoint("/oauth/par"),
            "authorization_response_iss_parameter_supported": true,
        ]
    }

    /// An answer of the token endpoint with tokens that no answer before had.
    func tokens(
        of subject: String = "user-1", nonce: String? = nil, expiresIn: Int64 = 3600, at now: Date = Date(),
        scope: String = "openid offline_access", claims: JSONObject = [:], signer: TokenSigner? = nil
    ) throws -> JSONObject {
        let generation = state.withLock { state in
            state.generation += 1
            return state.generation
        }
        let issued = Int64(now.timeIntervalSince1970)
        var members: JSONObject = [
            "iss": .string(url), "aud": .string(Self.clientID), "sub": .string(subject), "iat": .integer(issued),
            "exp": .integer(issued + expiresIn), "auth_time": .integer(issued), "sid": .string("session-\(subject)"),
        ]
        members["nonce"] = nonce.map(JSONValue.string)
        for (name, value) in claims { members[name] = value }
        return [
            "access_token": .string("access-\(generation)"), "token_type": "Bearer", "expires_in": .integer(expiresIn),
            "id_token": .string(try (signer ?? self.signer).token(claims: members)),
            "refresh_token": .string("refresh-\(generation)"), "scope": .string(scope),
        ]
    }
}
