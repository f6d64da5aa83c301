import AsyncHTTPClient
import Broker
import Crypto
import Foundation
import JOSE
import NIOCore
import NIOHTTP1
import ProviderKit
import ProviderSimulators

/// An answer of the broker.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: JSONValue
    let text: String

    /// The envelope's message.
    var message: String? { body["error"]?["message"]?.string }
    /// The code at the start of the envelope's message.
    var code: String? { message.map { String($0.prefix { $0 != " " }) } }

    subscript(_ name: String) -> JSONValue? { body[name] }

    func string(_ name: String) throws -> String {
        guard let text = body[name]?.string else { throw TestFailure("no \(name) in: \(text)") }
        return text
    }
}

extension TestBroker {
    /// Sends a request as it is given.
    func send(
        _ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url + path)
        request.method = method
        request.headers = headers
        if let body { request.body = .bytes(body) }
        let response = try await TestClients.client(for: url).execute(request, timeout: .seconds(120))
        let bytes = Array(buffer: try await response.body.collect(upTo: 1 << 20))
        return Answer(
            status: Int(response.status.code), headers: response.headers,
            body: (try? JSONValue(parsing: bytes)) ?? .null, text: String(decoding: bytes, as: UTF8.self))
    }

    /// Posts JSON with the API key.
    func post(_ path: String, _ body: JSONValue, headers: HTTPHeaders = [:]) async throws -> Answer {
        var headers = headers
        headers.add(name: "Content-Type", value: "application/json")
        return try await send(.POST, "\(path)?key=\(apiKey)", headers: headers, body: Array(body.serialized().utf8))
    }

    /// Posts a form with the API key.
    func post(_ path: String, form: [(String, String)]) async throws -> Answer {
        try await send(
            .POST, "\(path)?key=\(apiKey)", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array(FormEncoding.encode(form.map { (name: $0.0, value: $0.1) }).utf8))
    }

    func get(_ path: String, headers: HTTPHeaders = [:]) async throws -> Answer {
        try await send(.GET, path, headers: headers)
    }

    // The calls of the main job.

    func signIn(_ person: GitHubSimulator.Person, provider: String = "github.com") async throws -> Answer {
        let token = simulator.accessToken(for: person, application: simulator.application(of: provider))
        return try await signIn(postBody: [("access_token", token), ("providerId", provider)])
    }

    func signIn(postBody: [(String, String)], extra: JSONObject = JSONObject()) async throws -> Answer {
        var body = JSONObject([("requestUri", "http://localhost"), ("returnSecureToken", true)])
        // SDKs send the leading ampersand.
        body["postBody"] = .string("&" + FormEncoding.encode(postBody.map { (name: $0.0, value: $0.1) }))
        for (name, value) in extra { body[name] = value }
        return try await post("/v1/accounts:signInWithIdp", .object(body))
    }

    func refresh(_ token: String) async throws -> Answer {
        try await post("/v1/token", form: [("grant_type", "refresh_token"), ("refresh_token", token)])
    }

    func lookup(_ idToken: String) async throws -> Answer {
        try await post("/v1/accounts:lookup", ["idToken": .string(idToken)])
    }

    func signUp() async throws -> Answer {
        try await post("/v1/accounts:signUp", ["returnSecureToken": true])
    }

    /// The simulator's person with this login.
    func person(_ login: String) throws -> GitHubSimulator.Person {
        guard let person = simulator.person(login: login) else { throw TestFailure("no person \(login)") }
        return person
    }
}

extension TestBroker {
    /// The pending token of an identity that another user has: its evidence waits in the store.
    func refusedLink(of login: String, to session: Answer) async throws -> String {
        try await link(person(login), to: session, extra: ["returnIdpCredential": true]).string("pendingToken")
    }

    /// Links a user's identity to the user of a session.
    func link(
        _ person: GitHubSimulator.Person, to session: Answer, provider: String = "github.com",
        extra: JSONObject = JSONObject()
    ) async throws -> Answer {
        let token = simulator.accessToken(for: person, application: simulator.application(of: provider))
        var extra = extra
        extra["idToken"] = .string(try session.string("idToken"))
        return try await signIn(postBody: [("access_token", token), ("providerId", provider)], extra: extra)
    }

    /// Sends a pending token as SDKs do: without a postBody.
    func usePending(_ token: String, idToken: String? = nil) async throws -> Answer {
        var body = JSONObject([
            ("requestUri", "http://localhost"), ("returnSecureToken", true), ("pendingToken", .string(token)),
        ])
        body["idToken"] = idToken.map(JSONValue.string)
        return try await post("/v1/accounts:signInWithIdp", .object(body))
    }

    /// Signs a user in with a code and its verifier; `redirectURI` is the registered one unless the test names another.
    func signInWithCode(
        _ person: GitHubSimulator.Person, verifier: String, redirectURI: String? = nil
    ) async throws -> Answer {
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
        let application = simulator.defaultApplication
        let redirectURI = redirectURI ?? application.callbackURL
        let code = simulator.authorizationCode(
            for: person, application: application, redirectURI: redirectURI, codeChallenge: challenge)
        return try await signIn(postBody: [
            ("code", code), ("code_verifier", verifier), ("redirect_uri", redirectURI),
            ("providerId", "github.com"),
        ])
    }

    /// The verified claims of an answer's ID token.
    func claims(of answer: Answer) throws -> JSONValue {
        try CompactJWS(parsing: answer.string("idToken")).verified(
            with: core.sessions.signingKeys.verification, algorithms: Set(SignatureAlgorithm.allCases))
    }
}
