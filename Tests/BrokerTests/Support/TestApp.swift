import Broker
import BrokerStore
import Foundation
import JOSE
import NIOHTTP1
import OAuth
import ProviderKit

/// An app that is registered at the broker as an OpenID Connect client, with one sign-in on its way.
struct TestApp {
    static let redirectURI = "https://app.example/app-of-the-test"

    let broker: TestBroker
    let clientID: String
    let secret: String?
    let verifier = RandomText.secret()
    let state = RandomText.secret()
    let nonce = RandomText.secret()

    /// Registers a client.
    init(
        _ broker: TestBroker, kind: Client.Kind = .confidential, redirectURIs: [String] = [Self.redirectURI],
        postLogout: [String] = ["https://app.example/bye"], pkce: Client.PKCE = .required
    ) async throws {
        self.broker = broker
        let (client, secret) = try await broker.core.openID.clients.add(
            try ClientRegistration(
                kind: kind, name: "Test app", redirectURIs: redirectURIs, postLogoutRedirectURIs: postLogout,
                pkce: pkce),
            origin: Origin(.admin, actor: "test"))
        clientID = client.id
        self.secret = secret?.text
    }

    init(_ broker: TestBroker, clientID: String, secret: String?) {
        self.broker = broker
        self.clientID = clientID
        self.secret = secret
    }

    /// The same app with another sign-in.
    func another() -> TestApp { TestApp(broker, clientID: clientID, secret: secret) }

    /// What the app sends its user's browser with.
    func parameters(_ changes: [String: String?] = [:]) -> [(name: String, value: String)] {
        var values: [String: String] = [
            "client_id": clientID, "redirect_uri": Self.redirectURI, "response_type": "code",
            "scope": "openid profile email offline_access", "state": state, "nonce": nonce,
            "code_challenge": CodeChallenge(of: verifier).text, "code_challenge_method": "S256",
        ]
        for (name, value) in changes { values[name] = value }
        return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func path(_ changes: [String: String?] = [:]) -> String {
        "/oauth/authorize?" + FormEncoding.encode(parameters(changes))
    }

    /// Signs a user in through a browser, with the provider they have.
    func signIn(_ person: TestPerson, in browser: TestBrowser) async throws -> Answer {
        let consent = try await browser.visit(path(["provider": person.provider]))
        let back = try await browser.submit(on: consent, ["person": person.account])
        guard let code = back["code"] else { throw TestFailure("no code in \(back.url)") }
        return try await redeem(code)
    }

    /// Posts a form to an OAuth endpoint, as this client.
    func post(_ path: String, _ fields: [(name: String, value: String)]) async throws -> Answer {
        let credentials = fields + [("client_id", clientID)] + (secret.map { [("client_secret", $0)] } ?? [])
        return try await broker.send(
            .POST, path, headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array(FormEncoding.encode(credentials).utf8))
    }

    /// Exchanges a code.
    func redeem(
        _ code: String, _ further: [(name: String, value: String)] = [], withoutVerifier: Bool = false
    ) async throws -> Answer {
        try await post(
            "/oauth/token",
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", Self.redirectURI),
                ("code_verifier", verifier),
            ].filter { !withoutVerifier || $0.0 != "code_verifier" } + further)
    }

    /// A token's claims, unverified.
    static func claims(_ token: String) throws -> JSONObject {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])),
            let claims = try JSONValue(parsing: bytes).object
        else { throw TestFailure("no token") }
        return claims
    }
}
