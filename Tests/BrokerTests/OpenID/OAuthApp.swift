import Broker
import BrokerStore
import Crypto
import Foundation
import JOSE
import NIOHTTP1
import OAuth
import ProviderKit

/// An app that is registered at a test's broker, and what it does behind the browser's back.
struct OAuthApp: Sendable {
    let broker: TestBroker
    let client: Client
    let secret: String?

    static let redirectURI = "https://shop.example/callback"

    /// Registers an app.
    init(
        at broker: TestBroker, _ kind: Client.Kind = .confidential, algorithm: Client.Algorithm = .es256,
        redirectURIs: [String] = [redirectURI], pkce: Client.PKCE = .required, isFirstParty: Bool = false
    ) async throws {
        let registration = try ClientRegistration(
            kind: kind, name: "Shop", redirectURIs: redirectURIs, algorithm: algorithm, pkce: pkce,
            isFirstParty: isFirstParty)
        let added = try await broker.core.openID.clients.add(registration, origin: Origin(.admin))
        self.broker = broker
        client = added.client
        secret = added.secret?.text
    }

    init(broker: TestBroker, client: Client, secret: String?) {
        self.broker = broker
        self.client = client
        self.secret = secret
    }

    /// A code as the browser brings it, with what the app keeps meanwhile.
    struct Ticket: Sendable {
        let code: String
        let verifier: String
        let row: AuthorizationCode

        var form: [(String, String)] {
            [
                ("grant_type", "authorization_code"), ("code", code), ("code_verifier", verifier),
                ("redirect_uri", row.redirectURI),
            ]
        }
    }

    /// An authorization code, as the authorization endpoint makes it.
    func ticket(
        for user: User, scope: String = "openid profile email offline_access", nonce: String? = nil,
        redirectURI: String = redirectURI, parentID: String? = nil, isChallenged: Bool = true
    ) async throws -> Ticket {
        let verifier = RandomText.secret()
        let digest = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
        guard let uri = client.redirectURI(matching: redirectURI), let challenge = CodeChallenge(digest) else {
            throw TestFailure("no ticket for \(redirectURI)")
        }
        let now = Timestamp(broker.clock.now)
        let code = RandomText.secret()
        let row = AuthorizationCode(
            key: broker.core.store.keys.next(at: now.date), codeHash: RandomText.hash(of: code), clientID: client.id,
            redirectURI: uri.text, codeChallenge: isChallenged ? challenge.text : AuthorizationCode.noChallenge,
            scope: Scopes(scope).text, nonce: nonce, userKey: user.key, epoch: user.epoch, provider: "github.com",
            authTime: now.seconds - 7, authenticationMethods: "fed user", sessionID: RandomText.alphanumeric(22),
            parentID: parentID, createdAt: now, expiresAt: now.advanced(by: .seconds(60)))
        try await broker.core.store.write { try $0.insert(row) }
        return Ticket(code: code, verifier: verifier, row: row)
    }

    /// Posts a form, saying who the app is.
    func post(_ path: String, _ form: [(String, String)], headers: HTTPHeaders = [:]) async throws -> Answer {
        var headers = headers
        var form = form
        if let secret {
            headers.add(name: "Authorization", value: Self.basic(client.id, secret))
        } else {
            form.append(("client_id", client.id))
        }
        return try await broker.postForm(path, form, headers: headers)
    }

    func token(_ ticket: Ticket) async throws -> Answer { try await post("/oauth/token", ticket.form) }

    func refresh(_ token: String, scope: String? = nil) async throws -> Answer {
        var form = [("grant_type", "refresh_token"), ("refresh_token", token)]
        if let scope { form.append(("scope", scope)) }
        return try await post("/oauth/token", form)
    }

    /// Signs a user in: a code, and the tokens for it.
    func signIn(
        _ user: User, scope: String = "openid profile email offline_access", nonce: String? = nil
    ) async throws -> Answer {
        let answer = try await token(try await ticket(for: user, scope: scope, nonce: nonce))
        guard answer.status == 200 else { throw TestFailure("no tokens: \(answer.text)") }
        return answer
    }

    static func basic(_ id: String, _ secret: String) -> String {
        "Basic " + Data("\(FormEncoding.encode(id)):\(FormEncoding.encode(secret))".utf8).base64EncodedString()
    }
}

extension TestBroker {
    /// Posts a form as it is.
    func postForm(_ path: String, _ form: [(String, String)], headers: HTTPHeaders = [:]) async throws -> Answer {
        var headers = headers
        headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        let body = FormEncoding.encode(form.map { (name: $0.0, value: $0.1) })
        return try await send(.POST, path, headers: headers, body: Array(body.utf8))
    }

    func userInfo(_ token: String) async throws -> Answer {
        try await send(.GET, "/oauth/userinfo", headers: ["Authorization": "Bearer \(token)"])
    }

    /// A user who has signed in with the simulator.
    func signedInUser(_ login: String = "ada") async throws -> User {
        let localID = try await signIn(person(login)).string("localId")
        guard let user = try await core.store.read({ try $0.user(localID: localID) }) else {
            throw TestFailure("no user \(localID)")
        }
        return user
    }

    /// The claims of a token of the OpenID Connect family, verified with the keys the broker publishes.
    func openIDClaims(
        _ token: String, type: String, _ algorithm: SignatureAlgorithm = .es256
    ) async throws -> JSONValue {
        let keys = try KeySet(importing: try await get("/oauth/jwks").body)
        let parsed = try CompactJWS(parsing: token)
        guard parsed.header.type == type else { throw TestFailure("the token is a \(parsed.header.type ?? "?")") }
        return try parsed.verified(with: keys, algorithms: [algorithm])
    }
}

extension Answer {
    /// The code of an OAuth error.
    var oauthError: String? { body["error"]?.string }
}
