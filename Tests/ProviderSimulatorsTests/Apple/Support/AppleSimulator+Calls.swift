import Foundation
import JOSE
import ProviderKit
import ProviderSimulators
import Testing

/// The calls a client of Apple makes.
extension AppleSimulator {
    /// Runs `body` with a simulator of its own, whose clock stands still, and stops it afterwards.
    static func running(
        _ options: Options = .init(clock: .stopped(at: .epoch)), _ body: (AppleSimulator) async throws -> Void
    ) async throws {
        let apple = try await start(options)
        do {
            try await body(apple)
        } catch {
            await apple.stop()
            throw error
        }
        await apple.stop()
    }

    var ada: Person {
        get throws { try person("Ada") }
    }

    func person(_ givenName: String) throws -> Person {
        try #require(person(givenName: givenName))
    }

    /// A client secret as it has to be, unless told otherwise.
    func secret(
        for application: Application? = nil, key: Key? = nil, claims changes: JSONObject = [:]
    ) throws -> String {
        let key = key ?? self.key
        let now = Int64(clock.now.timeIntervalSince1970)
        var claims: JSONObject = [
            "iss": .string(key.teamID), "iat": .integer(now), "exp": .integer(now + 300),
            "aud": "https://appleid.apple.com",
            "sub": .string((application ?? defaultApplication).clientID),
        ]
        for (name, value) in changes { claims[name] = value }
        let signingKey = ClientAssertion.Key(pem: Secret(key.pem), keyID: key.keyID, algorithm: .es256)
        return try TokenSigner(keyID: key.keyID, key: signingKey.signingKey()).token(claims: claims)
    }

    /// Posts a form as an application, with a good secret unless another is given.
    func post(
        _ path: String, as application: Application? = nil, secret: String? = nil,
        _ fields: KeyValuePairs<String, String>, bearer: String? = nil
    ) async throws -> WebClient.Answer {
        let application = application ?? defaultApplication
        let client = WebClient.encode([
            "client_id": application.clientID,
            "client_secret": try secret ?? self.secret(for: application),
        ])
        var headers: KeyValuePairs = ["content-type": "application/x-www-form-urlencoded"]
        if let bearer {
            headers = [
                "content-type": "application/x-www-form-urlencoded", "authorization": "Bearer \(bearer)",
            ]
        }
        return try await WebClient.send(
            "POST", url + path, headers: headers, body: client + "&" + WebClient.encode(fields))
    }

    /// Redeems a code as a web site, or as an app when `redirectURI` is nil.
    func redeem(
        _ code: String, as application: Application? = nil, secret: String? = nil,
        redirectURI: String? = "http://127.0.0.1/oauth/callback/apple.com"
    ) async throws -> WebClient.Answer {
        guard let redirectURI else {
            return try await post(
                "/auth/token", as: application, secret: secret, ["grant_type": "authorization_code", "code": code])
        }
        return try await post(
            "/auth/token", as: application, secret: secret,
            ["grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI])
    }

    func refresh(_ token: String, as application: Application? = nil) async throws -> WebClient.Answer {
        try await post("/auth/token", as: application, ["grant_type": "refresh_token", "refresh_token": token])
    }

    /// A code of Ada's for the web site.
    func code(nonce: String? = nil) throws -> String {
        authorizationCode(for: try ada, application: defaultApplication, nonce: nonce)
    }

    func authorizeURL(_ fields: KeyValuePairs<String, String>) -> String {
        url + "/auth/authorize?" + WebClient.encode(fields)
    }

    /// Opens the consent page and presses one of its buttons.
    func decide(
        _ decision: String = "authorize", as person: Person, email: String = "",
        request: KeyValuePairs<String, String>
    ) async throws -> WebClient.Answer {
        let page = try await WebClient.get(authorizeURL(request))
        try #require(page.status == 200, "\(page.text)")
        let consent = try #require(page.text.firstMatch(of: /name="consent" value="([0-9a-f]+)"/)?.output.1)
        return try await WebClient.post(
            url + "/auth/authorize",
            ["consent": String(consent), "person": person.id, "decision": decision, "email": email])
    }

    /// What an ordinary web site asks for.
    func webRequest(scope: String = "name email", mode: String = "form_post") -> KeyValuePairs<String, String> {
        [
            "client_id": defaultApplication.clientID, "redirect_uri": "http://127.0.0.1:4000/oauth/callback/apple.com",
            "response_type": "code", "scope": scope, "response_mode": mode, "state": "s", "nonce": "n",
        ]
    }

    /// The claims of a token, with its signature checked against the published keys.
    func claims(of token: String) async throws -> JSONObject {
        let document = try JSONValue(parsing: try await WebClient.get(url + "/auth/keys").bytes)
        let payload = try CompactJWS(parsing: token).verified(
            with: KeySet(importing: document), algorithms: [.rs256])
        return try #require(payload.object)
    }
}

extension WebClient.Answer {
    /// The hidden fields of a page that posts itself.
    var hiddenFields: [String: String] {
        let inputs = text.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/)
        return Dictionary(inputs.map { (String($0.1), Self.unescaped(String($0.2))) }) { _, last in last }
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    func string(_ name: String) throws -> String {
        try #require(try json[name] as? String, "\(text)")
    }
}
