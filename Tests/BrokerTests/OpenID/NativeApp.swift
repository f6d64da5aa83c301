import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit

/// A native app that gets its tokens for what it has (RFC 8693), and manages its user's account with them.
struct NativeApp: Sendable {
    static let scope = "openid profile email offline_access account"
    static let grantType = "urn:ietf:params:oauth:grant-type:token-exchange"
    static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

    let app: OAuthApp

    var broker: TestBroker { app.broker }

    init(app: OAuthApp) {
        self.app = app
    }

    /// Registers one.
    init(at broker: TestBroker, receivesProviderTokens: Bool = false) async throws {
        app = try await OAuthApp(
            at: broker, .native, redirectURIs: [OAuthApp.redirectURI, "com.example.app:/callback"])
        guard receivesProviderTokens else { return }
        _ = try await broker.core.openID.clients.update(
            id: app.client.id, ClientChanges(receivesProviderTokens: true), origin: Origin(.admin))
    }

    /// The types of a `subject_token`.
    enum SubjectType {
        static let idToken = "urn:ietf:params:oauth:token-type:id_token"
        static let accessToken = "urn:ietf:params:oauth:token-type:access_token"
        static let authorizationCode = "urn:broker:oauth:token-type:authorization_code"
    }

    /// Sends the credential of a provider, as `postBody` would have it; `changes` with a value of nil leave a parameter out.
    func exchange(
        _ credential: [(String, String)], scope: String? = Self.scope, actor: Answer? = nil, prompt: String? = nil,
        _ changes: [String: String?] = [:]
    ) async throws -> Answer {
        var form = Self.subject(credential)
        form["grant_type"] = Self.grantType
        form["scope"] = scope
        form["prompt"] = prompt
        if let actor {
            form["actor_token"] = try actor.string("access_token")
            form["actor_token_type"] = Self.accessTokenType
        }
        for (name, value) in changes { form[name] = value }
        return try await app.post("/oauth/token", form.map { ($0.key, $0.value) })
    }

    /// The parameters for a credential: the strongest one of a `postBody` is the subject.
    private static func subject(_ credential: [(String, String)]) -> [String: String] {
        var form = Dictionary(credential) { first, _ in first }
        form["provider"] = form.removeValue(forKey: "providerId")
        if let token = form.removeValue(forKey: "id_token") {
            (form["subject_token"], form["subject_token_type"]) = (token, SubjectType.idToken)
            form["authorization_code"] = form.removeValue(forKey: "code")
        } else if let code = form.removeValue(forKey: "code") {
            (form["subject_token"], form["subject_token_type"]) = (code, SubjectType.authorizationCode)
        } else if let token = form.removeValue(forKey: "access_token") {
            (form["subject_token"], form["subject_token_type"]) = (token, SubjectType.accessToken)
        }
        return form
    }

    /// Signs a user in.
    func signIn(_ person: TestPerson, scope: String = Self.scope) async throws -> Answer {
        let answer = try await exchange(person.credential(), scope: scope)
        guard answer.status == 200 else { throw TestFailure("no tokens: \(answer.text)") }
        return answer
    }

    /// Begins without an account.
    func beginAnonymously(
        scope: String? = Self.scope, actor: Answer? = nil, _ changes: [String: String?] = [:]
    ) async throws -> Answer {
        let subject: [String: String?] = [
            "subject_token": "anonymous", "subject_token_type": "urn:broker:oauth:token-type:anonymous",
        ]
        return try await exchange([], scope: scope, actor: actor, subject.merging(changes) { $1 })
    }

    /// Gets a document of the account.
    func get(_ path: String = "", _ session: Answer) async throws -> Answer {
        try await broker.send(.GET, "/v1/broker/me" + path, headers: try Self.bearer(session))
    }

    /// Posts to a path of the account.
    func post(_ path: String, _ session: Answer, _ body: JSONValue = [:]) async throws -> Answer {
        var headers = try Self.bearer(session)
        headers.add(name: "Content-Type", value: "application/json")
        return try await broker.send(
            .POST, "/v1/broker/me" + path, headers: headers, body: Array(body.serialized().utf8))
    }

    private static func bearer(_ session: Answer) throws -> HTTPHeaders {
        ["Authorization": "Bearer \(try session.string("access_token"))"]
    }
}

extension Answer {
    /// The code at the start of an OAuth error's description.
    var refusal: String? { body["error_description"]?.string.map { String($0.prefix { $0 != " " }) } }

    /// The claims of a token that it has, unverified.
    func claims(_ name: String = "id_token") throws -> JSONObject { try TestApp.claims(try string(name)) }

    /// The providers of the user record that it is.
    var providerIDs: [String] { body["providerUserInfo"]?.array?.compactMap { $0["providerId"]?.string } ?? [] }
}
