import Foundation
import ProviderKit
import ProviderSimulators
import Testing

/// What a backend needs of a broker, and the tokens that its callers have.
extension HostedBroker {
    /// The tokens that a confidential client gets for a user.
    struct ClientTokens: Sendable {
        let clientID: String
        let clientSecret: String
        let accessToken: String
        let idToken: String
    }

    /// Runs a broker with these settings of the policy.
    static func run<Value>(
        preset: String, _ body: (HostedBroker) async throws -> Value
    ) async throws -> Value {
        try await prepare { broker in
            var settings = try #require(try JSONValue(parsing: broker.folder.text(of: "broker.json")).object)
            settings["policy"] = .string(preset)
            try broker.folder.write(JSONValue.object(settings).serialized(), to: "broker.json")
            return try await broker.serve { _ in try await body(broker) }
        }
    }

    /// Ada signs in to an app of her browser at GitHub.
    func signInToClient(scope: String = "openid profile") async throws -> ClientTokens {
        try await WebApp.run(at: self) { app in
            let attempt = app.attempt(("scope", scope))
            let browser = FormBrowser()
            let consent = try await browser.follow("GitHub", on: try await browser.open(attempt.url))
            let ada = try #require(providers.gitHub.person(login: "ada"))
            let page = try await browser.submit(("person", String(ada.id)), ("decision", "authorize"), on: consent)
            let code = try #require(page.url.firstMatch(of: /[?&]code=([^&]+)/), "\(page.url)").1
            let redeemed = try await app.redeem(String(code), of: attempt)
            return ClientTokens(
                clientID: app.clientID, clientSecret: app.clientSecret ?? "",
                accessToken: try #require(redeemed.body["access_token"]?.string, "\(redeemed)"),
                idToken: try #require(redeemed.body["id_token"]?.string, "\(redeemed)"))
        }
    }

    /// Ada signs in with Identity Toolkit.
    func signInToProject() async throws -> IdentityToolkitApp.Session {
        let ada = try #require(providers.gitHub.person(login: "ada"))
        let accessToken = providers.gitHub.accessToken(for: ada, application: providers.gitHub.defaultApplication)
        return try IdentityToolkitApp.Session(try await client.signIn(accessToken: accessToken))
    }

    /// A session cookie for the session of an ID token.
    func sessionCookie(for idToken: String) async throws -> String {
        let answer = try await client.send(
            "POST", "/v1/projects/my-app:createSessionCookie",
            headers: [
                ("Content-Type", "application/json"),
                ("Authorization", "Bearer \(try await adminToken("users:write"))"),
            ], body: JSONValue.object(["idToken": .string(idToken), "validDuration": 300]).serialized())
        return try #require(answer.body["sessionCookie"]?.string, "\(answer)")
    }

    func adminToken(_ scope: String) async throws -> String {
        let answer = try await document("admin", "token", "create", "--name", "backend", "--scope", scope)
        return try #require(answer["token"]?.string, "\(answer)")
    }

    /// Writes the key file of a new service account that may introspect.
    func keyFile() async throws -> String {
        let path = folder.path + "/key-\(randomText()).json"
        _ = try await document(
            "admin", "service-account", "create", "backend-\(randomText().lowercased().filter(\.isLetter).prefix(8))",
            "--scope", "tokens:introspect",
            "--output", path)
        return path
    }

    /// Ends everything that was issued to a user.
    func revokeAll(of localID: String) async throws {
        _ = try await document("sessions", "revoke", "--user", localID, "--all", "--yes")
    }
}
