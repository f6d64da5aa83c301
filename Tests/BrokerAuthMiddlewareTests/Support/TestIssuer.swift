import Foundation
import HTTPTypes
import Hummingbird
import JOSE
import NIOCore
import ProviderSimulators
import StrictJSON
import Synchronization
import Testing

/// A broker of a test's own: publishes keys, answers introspection, and counts what is asked for.
final class TestIssuer: Sendable {
    static let project = "my-app"
    static let discovery = "/.well-known/openid-configuration"
    static let keys = "/oauth/jwks"
    static let projectKeys = "/my-app/.well-known/jwks.json"

    /// What a path answers instead of its document.
    struct Override: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body = ""
        /// Sends the body, and nothing more: not even its end.
        var stalls = false
    }

    /// A request to the introspection or the token endpoint.
    struct Call: Sendable {
        let path: String
        let authorization: String?
        let form: String
    }

    private struct State {
        var url = ""
        var isStrict = true
        var isDown = false
        var cacheControl = "public, max-age=3600"
        var oauth: [TokenSigner] = []
        var toolkit: [TokenSigner] = []
        var overrides: [String: Override] = [:]
        var hits: [String: Int] = [:]
        var unchanged = 0
        var calls: [Call] = []
    }

    let clock = TestClock()
    private let state = Mutex(State())

    /// Making RSA keys takes long; one serves all tests.
    private static let rsa = Result { try PrivateSigningKey.generate(.rs256) }

    /// Runs an issuer while `body` works with it.
    static func run<Value>(
        isStrict: Bool = true, _ body: (TestIssuer) async throws -> Value
    ) async throws -> Value {
        let issuer = TestIssuer()
        let oauth = try TokenSigner(keyID: "oauth-1", key: .generate(.es256))
        let toolkit = try TokenSigner(keyID: "toolkit-1", key: isStrict ? .generate(.es256) : rsa.get())
        issuer.state.withLock { ($0.oauth, $0.toolkit, $0.isStrict) = ([oauth], [toolkit], isStrict) }
        let responder = CallbackResponder<BasicRequestContext> { request, _ in try await issuer.respond(to: request) }
        return try await LoopbackServer.run(responder) { server in
            issuer.state.withLock { $0.url = server.url }
            return try await body(issuer)
        }
    }

    var url: String { state.withLock(\.url) }
    var calls: [Call] { state.withLock(\.calls) }
    /// How often a document was not sent again.
    var unchanged: Int { state.withLock(\.unchanged) }
    func hits(_ path: String) -> Int { state.withLock { $0.hits[path] ?? 0 } }

    /// Answers 503 to everything.
    func goDown(_ isDown: Bool = true) { state.withLock { $0.isDown = isDown } }
    func override(_ path: String, _ answer: Override?) { state.withLock { $0.overrides[path] = answer } }
    func setCacheControl(_ text: String) { state.withLock { $0.cacheControl = text } }

    /// The newest signer of a family.
    var oauth: TokenSigner { get throws { try #require(state.withLock(\.oauth).last) } }
    var toolkit: TokenSigner { get throws { try #require(state.withLock(\.toolkit).last) } }

    /// Replaces the key of access tokens with a new one.
    func rotate(to keyID: String) throws {
        let signer = try TokenSigner(keyID: keyID, key: .generate(.es256))
        state.withLock { $0.oauth = [signer] }
    }

    /// Changes `policy.tokens`; the key of the other setting is made and published beside the first.
    func becomeFirebase() throws {
        let signer = try TokenSigner(keyID: "toolkit-2", key: Self.rsa.get())
        state.withLock {
            $0.toolkit.append(signer)
            $0.isStrict = false
        }
    }

    /// The `iss` of ID tokens of Identity Toolkit.
    var toolkitIssuer: String {
        state.withLock { $0.isStrict ? "\($0.url)/\(Self.project)" : "https://securetoken.google.com/\(Self.project)" }
    }
    /// The `iss` of session cookies.
    var cookieIssuer: String {
        state.withLock {
            $0.isStrict ? "\($0.url)/\(Self.project)/session" : "https://session.firebase.google.com/\(Self.project)"
        }
    }

    private func respond(to request: Request) async throws -> Response {
        var request = request
        let path = request.uri.path
        let body = String(buffer: try await request.collectBody(upTo: 1 << 16))
        let headers = request.headers
        let answer: (Override, isDocument: Bool) = try state.withLock { state in
            state.hits[path, default: 0] += 1
            if state.isDown { return (Override(status: 503), false) }
            if request.method == .post {
                state.calls.append(Call(path: path, authorization: headers[.authorization], form: body))
            }
            if let override = state.overrides[path] { return (override, false) }
            guard let document = try Self.document(path, state) else { return (Override(status: 404), false) }
            return (Override(headers: ["Cache-Control": state.cacheControl], body: document.serialized()), true)
        }
        return response(answer.0, isDocument: answer.isDocument, knowing: headers[.ifNoneMatch])
    }

    private func response(_ answer: Override, isDocument: Bool, knowing known: String?) -> Response {
        var headers: HTTPFields = [.contentType: "application/json"]
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        if isDocument {
            let tag = "\"\(TokenDigest(of: answer.body).hashValue)\""
            headers[.eTag] = tag
            if known == tag {
                state.withLock { $0.unchanged += 1 }
                return Response(status: .notModified, headers: headers)
            }
        }
        return Response(
            status: .init(code: answer.status), headers: headers,
            body: answer.stalls ? Self.endless(answer.body) : ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
    }

    /// A body without an end, until the server stops.
    private static func endless(_ text: String) -> ResponseBody {
        ResponseBody { writer in
            try await writer.write(ByteBuffer(string: text))
            let (silence, end) = AsyncStream<Void>.makeStream()
            for await _ in silence {}
            end.finish()
            throw CancellationError()
        }
    }

    private static func document(_ path: String, _ state: State) throws -> JSONValue? {
        let project = "\(state.url)/\(project)"
        switch path {
        case discovery: return ["issuer": .string(state.url), "jwks_uri": .string(state.url + keys)]
        case "/my-app" + discovery:
            let issuer = state.isStrict ? project : "https://securetoken.google.com/\(Self.project)"
            return ["issuer": .string(issuer), "jwks_uri": .string(state.url + projectKeys)]
        case keys: return try set(of: state.oauth)
        case projectKeys, "/v1/sessionCookiePublicKeys": return try set(of: state.toolkit)
        default: return nil
        }
    }

    private static func set(of signers: [TokenSigner]) throws -> JSONValue {
        try KeySet(signers.map { try $0.key.publicKey.jwk(keyID: $0.keyID) }).jsonValue
    }

    static let client = "client-1"

    func accessToken(_ changes: JSONObject = [:], type: String = "at+jwt", by signer: TokenSigner? = nil) throws
        -> String
    {
        var claims: JSONObject = [
            "iss": .string(url), "sub": "ada", "aud": .string(Self.client), "client_id": .string(Self.client),
            "scope": "openid profile", "jti": "t1",
        ]
        add(times: &claims)
        claims["sid"] = "session-1"
        return try (signer ?? oauth).token(claims: claims.changed(changes), type: type)
    }

    /// An ID token of OpenID Connect: for the client alone.
    func clientIDToken() throws -> String {
        var claims: JSONObject = ["iss": .string(url), "sub": "ada", "aud": .string(Self.client), "sid": "session-1"]
        add(times: &claims)
        return try oauth.token(claims: claims)
    }

    func idToken(_ changes: JSONObject = [:], type: String = "JWT", by signer: TokenSigner? = nil) throws -> String {
        try (signer ?? toolkit).token(claims: toolkitClaims(toolkitIssuer).changed(changes), type: type)
    }

    func sessionCookie(_ changes: JSONObject = [:]) throws -> String {
        try toolkit.token(claims: toolkitClaims(cookieIssuer).changed(changes))
    }

    private func toolkitClaims(_ issuer: String) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": "ada", "user_id": "ada", "aud": .string(Self.project), "role": "editor",
            "broker": ["sid": "session-1", "epoch": 0],
        ]
        add(times: &claims)
        return claims
    }

    private func add(times claims: inout JSONObject) {
        let now = clock.seconds
        claims["iat"] = .integer(now)
        claims["auth_time"] = .integer(now - 100)
        claims["exp"] = .integer(now + 3600)
    }
}

extension JSONObject {
    fileprivate func changed(_ changes: JSONObject) -> JSONObject {
        var result = self
        for (name, value) in changes { result[name] = value.isNull ? nil : value }
        return result
    }
}

/// A token with whatever header one wants, signed over it.
func signed(_ header: JSONObject, _ claims: String, _ key: any TokenSigningKey) throws -> String {
    let input = Base64URL.encode(header.serialized().utf8) + "." + Base64URL.encode(claims.utf8)
    return input + "." + Base64URL.encode(try key.sign(Array(input.utf8)))
}
