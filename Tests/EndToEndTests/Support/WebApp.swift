import BrowserTesting
import JOSE
import ProviderKit
import Testing

/// An app on this machine that signs its users in through a broker: a page they are sent back to, and a server that
/// redeems what they bring.
struct WebApp: Sendable {
    let broker: HostedBroker
    /// The redirect URI, on `127.0.0.1`: another site than the broker's `localhost`.
    let redirectURI: String
    let clientID: String
    let clientSecret: String?
    let site: LocalSite

    /// One sign-in that has begun.
    struct Attempt: Sendable {
        let url: String
        let state = randomText()
        let nonce = randomText()
        let challenge = CodeChallenge()

        fileprivate init(_ app: WebApp, _ parameters: [(name: String, value: String)]) {
            var fields = [
                (name: "response_type", value: "code"), ("client_id", app.clientID), ("redirect_uri", app.redirectURI),
                ("state", state), ("nonce", nonce), ("code_challenge", challenge.value),
                ("code_challenge_method", "S256"),
            ]
            if !parameters.contains(where: { $0.name == "scope" }) { fields.append(("scope", "openid profile email")) }
            url = "\(app.broker.url)/oauth/authorize?" + FormEncoding.encode(fields + parameters)
        }
    }

    /// The app's state after a sign-in.
    struct Tokens: Sendable {
        let idToken: String
        let accessToken: String
        let refreshToken: String?
        /// Of the ID token, whose signature was verified with the broker's published keys.
        let claims: JSONObject
    }

    /// Registers an app with a broker and opens its page.
    static func run<Value>(
        at broker: HostedBroker, name: String = "Notebook", _ body: (WebApp) async throws -> Value
    ) async throws -> Value {
        try await LocalSite.run { visit in
            LocalSite.Page("<!DOCTYPE html><title>\(name)</title><h1>Welcome to \(name)</h1><p>\(visit.path)</p>")
        } _: { site in
            let url = "http://127.0.0.1:\(site.port)"
            let client = try await broker.document(
                "clients", "add", "--type", "confidential", "--name", name, "--redirect-uri", url + "/callback",
                "--post-logout-redirect-uri", url + "/farewell")
            return try await body(
                WebApp(
                    broker: broker, redirectURI: url + "/callback",
                    clientID: try #require(client["client"]?["clientId"]?.string, "\(client)"),
                    clientSecret: client["clientSecret"]?.string, site: site))
        }
    }

    /// Begins a sign-in; these parameters are added to the request.
    func attempt(_ parameters: (name: String, value: String)...) -> Attempt { Attempt(self, parameters) }

    /// What the browser brought back to the page it was sent to.
    func answer(to attempt: Attempt, in browser: Browser) async throws -> [String: String] {
        let url = try await browser.wait(forURL: redirectURI + "?")
        let query = try #require(FormEncoding.decode(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
        let fields = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(fields.count == query.count, "\(url)")
        #expect(fields["state"] == attempt.state && fields["iss"] == broker.url, "\(url)")
        return fields
    }

    /// Takes the tokens for the code the browser brought.
    func tokens(of attempt: Attempt, in browser: Browser) async throws -> Tokens {
        let answer = try await answer(to: attempt, in: browser)
        let code = try #require(answer["code"], "\(answer)")
        let redeemed = try await redeem(code, of: attempt)
        try #require(redeemed.status == 200, "\(redeemed)")
        let idToken = try #require(redeemed.body["id_token"]?.string, "\(redeemed)")
        let keys = try KeySet(importing: try await broker.client.get("/oauth/jwks").body)
        let payload = try CompactJWS(parsing: idToken).verified(with: keys, algorithms: [.es256, .rs256])
        let claims = try #require(payload.object)
        #expect(claims["iss"]?.string == broker.url && claims["aud"]?.string == clientID, "\(claims.serialized())")
        #expect(claims["nonce"]?.string == attempt.nonce)
        return Tokens(
            idToken: idToken, accessToken: redeemed.body["access_token"]?.string ?? "",
            refreshToken: redeemed.body["refresh_token"]?.string, claims: claims)
    }

    /// The token endpoint's answer to a code.
    func redeem(_ code: String, of attempt: Attempt) async throws -> IdentityToolkitApp.Answer {
        try await post(
            "/oauth/token",
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
                ("code_verifier", attempt.challenge.verifier),
            ])
    }

    /// Posts a form as this client.
    func post(_ path: String, _ fields: [(name: String, value: String)]) async throws -> IdentityToolkitApp.Answer {
        var fields = fields
        fields += [("client_id", clientID), ("client_secret", clientSecret ?? "")]
        return try await broker.client.send(
            "POST", path, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: FormEncoding.encode(fields))
    }

    /// Userinfo by an access token.
    func userinfo(_ tokens: Tokens) async throws -> IdentityToolkitApp.Answer {
        try await broker.client.send(
            "GET", "/oauth/userinfo", headers: [("Authorization", "Bearer \(tokens.accessToken)")])
    }
}
