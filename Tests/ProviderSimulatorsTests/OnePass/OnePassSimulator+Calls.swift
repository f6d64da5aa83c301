import Foundation
import JOSE
import ProviderKit
import ProviderSimulators
import Testing

/// The calls a client of 1Pass makes.
extension OnePassSimulator {
    /// Runs `body` with a simulator of its own and stops it afterwards.
    static func running(
        _ options: Options = .init(), _ body: (OnePassSimulator) async throws -> Void
    ) async throws {
        let onePass = try await start(options)
        do {
            try await body(onePass)
        } catch {
            await onePass.stop()
            throw error
        }
        await onePass.stop()
    }

    func named(_ name: String) throws -> Person {
        try #require(person(named: name))
    }

    /// An anonymous user.
    var nobody: Person {
        get throws { try #require(people().first { $0.isAnonymous }) }
    }

    var tokenURL: String { url + "/oauth/token" }

    /// Redeems a code the way a client of its type does.
    func redeem(
        _ code: String, verifier: String, for application: Application? = nil, redirectURI: String? = nil
    ) async throws -> WebClient.Answer {
        let application = application ?? defaultApplication
        return try await post(
            tokenURL, as: application,
            [
                "grant_type": "authorization_code", "code": code, "code_verifier": verifier,
                "redirect_uri": redirectURI ?? application.redirectURIs[0],
            ])
    }

    func refresh(_ token: String, for application: Application? = nil) async throws -> WebClient.Answer {
        try await post(
            tokenURL, as: application ?? defaultApplication, ["grant_type": "refresh_token", "refresh_token": token])
    }

    /// Posts a form with a client's ID and, if it has one, its secret.
    func post(
        _ url: String, as application: Application, _ fields: KeyValuePairs<String, String>
    ) async throws -> WebClient.Answer {
        var body = WebClient.encode(fields) + "&" + WebClient.encode(["client_id": application.clientID])
        if let secret = application.clientSecret { body += "&" + WebClient.encode(["client_secret": secret]) }
        return try await WebClient.send(
            "POST", url, headers: ["content-type": "application/x-www-form-urlencoded"], body: body)
    }

    func userinfo(_ token: String, path: String = "/oauth/userinfo") async throws -> WebClient.Answer {
        try await WebClient.get(url + path, headers: ["authorization": "Bearer \(token)"])
    }

    /// A call below `/api/v1`.
    func api(
        _ method: String, _ path: String, key: String? = nil, _ body: String? = nil
    ) async throws -> WebClient.Answer {
        let url = url + "/api/v1" + path
        guard let key else {
            return try await WebClient.send(method, url, headers: ["content-type": "application/json"], body: body)
        }
        return try await WebClient.send(
            method, url, headers: ["content-type": "application/json", "authorization": "Bearer \(key)"], body: body)
    }

    /// What is polled about an application.
    func poll(_ application: Application, _ query: String = "") async throws -> WebClient.Answer {
        let basic = Data("\(application.clientID):\(application.clientSecret ?? "")".utf8).base64EncodedString()
        return try await WebClient.get(url + "/api/v1/events" + query, headers: ["authorization": "Basic \(basic)"])
    }

    /// An authorization request that nothing is wrong with, changed by `changes`; an empty value takes a field away.
    func authorizeURL(
        _ changes: [String: String] = [:], for application: Application? = nil, verifier: String = "v"
    ) -> String {
        let application = application ?? defaultApplication
        let fields = [
            "client_id": application.clientID, "redirect_uri": application.redirectURIs[0], "response_type": "code",
            "scope": "openid profile:basic email", "state": "a state", "nonce": "a nonce",
            "code_challenge": codeChallenge(of: verifier), "code_challenge_method": "S256",
        ].merging(changes) { _, new in new }.filter { !$0.value.isEmpty }
        let query = fields.map { WebClient.encode([$0.key: $0.value]) }.joined(separator: "&")
        return url + "/oauth/authorize?" + query
    }

    /// Presses one of the buttons of a consent page.
    func decide(
        _ decision: String = "authorize", as person: Person, on page: WebClient.Answer,
        scopes: [String] = ["openid", "profile:basic", "email"]
    ) async throws -> WebClient.Answer {
        let consent = try #require(page.text.firstMatch(of: /name="consent" value="([0-9a-f]+)"/)?.output.1)
        let kept = scopes.map { "&" + WebClient.encode(["scope": $0]) }.joined()
        return try await WebClient.send(
            "POST", url + "/oauth/authorize", headers: ["content-type": "application/x-www-form-urlencoded"],
            body: WebClient.encode(["consent": String(consent), "person": "\(person.id)", "decision": decision]) + kept)
    }
}

/// The claims of a token, unchecked.
func claims(of token: String?) throws -> JSONObject {
    let parts = try #require(token).split(separator: ".")
    let payload = try #require(parts.count == 3 ? Base64URL.decode(String(parts[1])) : nil)
    return try #require(try JSONValue(parsing: payload).object)
}
