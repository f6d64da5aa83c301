import Crypto
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

/// The calls a client of GitLab makes.
extension GitLabSimulator {
    /// Runs `body` with a simulator of its own and stops it afterwards.
    static func running(
        _ options: Options = .init(), _ body: (GitLabSimulator) async throws -> Void
    ) async throws {
        let gitlab = try await start(options)
        do {
            try await body(gitlab)
        } catch {
            await gitlab.stop()
            throw error
        }
        await gitlab.stop()
    }

    var ada: Person {
        get throws { try #require(person(username: "ada")) }
    }

    /// A redirect URI the default registration covers, on a port of its own.
    static var redirectURI: String { "http://127.0.0.1:4321/oauth/callback/gitlab.com" }

    /// Posts to the token endpoint as the default application.
    func tokens(_ fields: KeyValuePairs<String, String>) async throws -> WebClient.Answer {
        let client: KeyValuePairs = [
            "client_id": defaultApplication.clientID, "client_secret": defaultApplication.clientSecret,
        ]
        return try await WebClient.send(
            "POST", url + "/oauth/token", headers: ["content-type": "application/x-www-form-urlencoded"],
            body: WebClient.encode(client) + "&" + WebClient.encode(fields))
    }

    /// Redeems a code of the default application's first redirect URI.
    func redeem(_ code: String) async throws -> WebClient.Answer {
        let redirectURI = try #require(defaultApplication.redirectURIs.first)
        return try await tokens(["grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI])
    }

    func refresh(_ token: String) async throws -> WebClient.Answer {
        try await tokens(["grant_type": "refresh_token", "refresh_token": token])
    }

    func get(_ path: String, token: String) async throws -> WebClient.Answer {
        try await WebClient.get(url + path, headers: ["authorization": "Bearer \(token)"])
    }

    /// Posts as an application to the endpoints that judge tokens.
    func post(
        _ path: String, token: String, as application: Application? = nil, secret: String? = nil
    ) async throws -> WebClient.Answer {
        let application = application ?? defaultApplication
        return try await WebClient.post(
            url + path,
            [
                "token": token, "client_id": application.clientID,
                "client_secret": secret ?? application.clientSecret,
            ])
    }

    func authorizeURL(_ query: KeyValuePairs<String, String>) -> String {
        url + "/oauth/authorize?" + WebClient.encode(query)
    }

    /// An authorization request of the default application that nothing is wrong with.
    func authorizeURL(_ more: [String: String] = [:], without missing: String? = nil) -> String {
        var fields = [
            "client_id": defaultApplication.clientID, "redirect_uri": Self.redirectURI, "response_type": "code",
            "scope": "openid email", "state": "s&t",
        ].merging(more) { _, new in new }
        if let missing { fields[missing] = nil }
        let query = fields.map { WebClient.encode([$0.key: $0.value]) }.joined(separator: "&")
        return url + "/oauth/authorize?" + query
    }

    /// The decision on a consent page.
    func decide(
        _ page: WebClient.Answer, as person: Person, decision: String = "authorize"
    ) async throws -> WebClient.Answer {
        let consent = try #require(page.text.firstMatch(of: /name="consent" value="([0-9a-f]+)"/)?.output.1)
        return try await WebClient.post(
            url + "/oauth/authorize",
            ["consent": String(consent), "person": String(person.id), "decision": decision])
    }

    /// The claims of a token, unverified.
    static func claims(of token: Any?) throws -> [String: Any] {
        let parts = try #require(token as? String).split(separator: ".")
        try #require(parts.count == 3)
        var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        let data = try #require(Data(base64Encoded: String(text)))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The S256 challenge of a verifier.
    static func challenge(of verifier: String) -> String {
        Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
