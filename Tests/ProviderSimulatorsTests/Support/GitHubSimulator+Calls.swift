import Crypto
import Foundation
import ProviderSimulators
import Testing

/// The calls a client of GitHub makes.
extension GitHubSimulator {
    /// Runs `body` with a simulator of its own and stops it afterwards.
    static func running(
        _ options: Options = .init(), _ body: (GitHubSimulator) async throws -> Void
    ) async throws {
        let github = try await start(options)
        do {
            try await body(github)
        } catch {
            await github.stop()
            throw error
        }
        await github.stop()
    }

    var ada: Person {
        get throws { try person("ada") }
    }

    func person(_ login: String) throws -> Person {
        try #require(person(login: login))
    }

    var tokenURL: String { url + "/login/oauth/access_token" }

    func redeem(
        _ code: String, for application: Application? = nil, accept: String? = "application/json"
    ) async throws -> WebClient.Answer {
        let application = application ?? defaultApplication
        return try await WebClient.post(
            tokenURL,
            ["client_id": application.clientID, "client_secret": application.clientSecret, "code": code],
            accept: accept)
    }

    func refresh(_ token: String, for application: Application) async throws -> WebClient.Answer {
        try await WebClient.post(
            tokenURL,
            [
                "client_id": application.clientID, "client_secret": application.clientSecret,
                "grant_type": "refresh_token", "refresh_token": token,
            ])
    }

    func api(
        _ path: String, token: String? = nil, userAgent: String? = "tests"
    ) async throws -> WebClient.Answer {
        switch (token, userAgent) {
        case (let token?, let userAgent?):
            try await WebClient.get(
                apiURL + path, headers: ["authorization": "Bearer \(token)", "user-agent": userAgent])
        case (let token?, nil):
            try await WebClient.get(apiURL + path, headers: ["authorization": "Bearer \(token)"])
        case (nil, let userAgent?):
            try await WebClient.get(apiURL + path, headers: ["user-agent": userAgent])
        case (nil, nil):
            try await WebClient.get(apiURL + path)
        }
    }

    /// A call of `/applications/{client_id}/…` in an application's name.
    func call(
        _ method: String, _ what: String = "token", token: String, as application: Application? = nil,
        secret: String? = nil, clientID: String? = nil
    ) async throws -> WebClient.Answer {
        let application = application ?? defaultApplication
        let basic = Data("\(application.clientID):\(secret ?? application.clientSecret)".utf8).base64EncodedString()
        return try await WebClient.send(
            method, "\(apiURL)/applications/\(clientID ?? application.clientID)/\(what)",
            headers: ["authorization": "Basic \(basic)", "user-agent": "tests"],
            body: #"{"access_token":"\#(token)"}"#)
    }

    func authorizeURL(_ fields: KeyValuePairs<String, String>) -> String {
        url + "/login/oauth/authorize?" + WebClient.encode(fields)
    }

    /// Opens the consent page and presses one of its buttons.
    func decide(
        _ decision: String = "authorize", as person: Person, scopes: [String] = [],
        request: KeyValuePairs<String, String>
    ) async throws -> WebClient.Answer {
        let page = try await WebClient.get(authorizeURL(request))
        #expect(page.status == 200)
        let consent = try #require(page.text.firstMatch(of: /name="consent" value="([0-9a-f]+)"/)?.output.1)
        let kept = scopes.map { "&scope=" + WebClient.encode(["": $0]).dropFirst() }.joined()
        return try await WebClient.send(
            "POST", url + "/login/oauth/authorize", headers: ["content-type": "application/x-www-form-urlencoded"],
            body: WebClient.encode(["consent": String(consent), "person": "\(person.id)", "decision": decision]) + kept)
    }
}

/// The S256 challenge of a verifier (RFC 7636 §4.2).
func codeChallenge(of verifier: String) -> String {
    Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString()
        .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}
