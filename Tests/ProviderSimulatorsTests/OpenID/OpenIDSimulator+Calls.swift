import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

/// The calls a client of any OpenID Connect provider makes.
extension OpenIDSimulator {
    /// Runs `body` with a simulator of its own and stops it afterwards.
    static func running(
        _ options: Options = .init(), _ body: (OpenIDSimulator) async throws -> Void
    ) async throws {
        let issuer = try await start(options)
        do {
            try await body(issuer)
        } catch {
            await issuer.stop()
            throw error
        }
        await issuer.stop()
    }

    var ada: Person { people()[0] }
    static let callback = "http://127.0.0.1/callback"

    /// What the token endpoint says to a form, our client proven by `Authorization: Basic`.
    func token(
        _ form: [(name: String, value: String)], as application: Application? = nil
    ) async throws -> (status: Int, body: JSONValue) {
        let application = application ?? defaultApplication
        let pair = "\(application.clientID):\(application.clientSecret ?? "")"
        let answer = try await WebClient.send(
            "POST", url + "/token",
            headers: [
                "content-type": "application/x-www-form-urlencoded",
                "authorization": "Basic " + Data(pair.utf8).base64EncodedString(),
            ], body: FormEncoding.encode(form))
        return (answer.status, try JSONValue(parsing: answer.bytes))
    }

    func redeem(
        _ code: String, verifier: String? = nil, redirectURI: String = callback
    ) async throws -> (status: Int, body: JSONValue) {
        try await token(
            [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI)]
                + (verifier.map { [("code_verifier", $0)] } ?? []))
    }

    func refresh(_ token: String) async throws -> (status: Int, body: JSONValue) {
        try await self.token([("grant_type", "refresh_token"), ("refresh_token", token)])
    }

    func userinfo(_ token: String) async throws -> WebClient.Answer {
        try await WebClient.get(url + "/userinfo", headers: ["authorization": "Bearer \(token)"])
    }

    /// The authorization page for these parameters, over the usual ones; an empty value takes one away.
    func authorize(_ changes: [String: String] = [:]) async throws -> WebClient.Answer {
        let usual = [
            "response_type": "code", "client_id": defaultApplication.clientID, "redirect_uri": Self.callback,
            "scope": "openid email", "state": "s-1", "nonce": "n-1",
        ]
        let fields = usual.merging(changes) { _, new in new }.filter { !$0.value.isEmpty }
        return try await WebClient.get(
            url + "/authorize?" + FormEncoding.encode(fields.map { (name: $0.key, value: $0.value) }))
    }

    /// Decides on an authorization page.
    func decide(on page: WebClient.Answer, _ decision: String = "authorize") async throws -> WebClient.Answer {
        let consent = try #require(page.text.firstMatch(of: /name="consent" value="([0-9a-f]+)"/)).1
        return try await WebClient.post(
            url + "/authorize",
            [
                "consent": String(consent), "person": ada.subject, "scope": "openid", "decision": decision,
            ])
    }

    func claims(of token: String) throws -> JSONObject {
        try CompactJWS(parsing: token).unverifiedClaims()
    }
}
