import ProviderKit
import ProviderSimulators
import Testing

/// An issuer with rotating refresh tokens: a second use of one ends the whole grant. What it issues for a code has to be
/// refreshed at once, and what it issues for a refresh token an hour later.
struct TokenIssuer: Sendable {
    static let id = "oidc.issuer"

    let simulator: OpenIDSimulator

    /// Starts one and stops it after `body`.
    static func run<Value>(_ body: (TokenIssuer) async throws -> Value) async throws -> Value {
        let issuer = TokenIssuer(simulator: try await OpenIDSimulator.start(.init(expiresInOfCodes: 0)))
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(issuer))
        } catch {
            result = .failure(error)
        }
        await issuer.simulator.stop()
        return try result.get()
    }

    /// Its entry of `plugins.json`.
    var entry: JSONValue {
        let application = simulator.defaultApplication
        return [
            "id": .string(Self.id), "use": "oidc", "allowInsecureLoopback": true,
            "options": [
                "issuer": .string(simulator.url), "clientId": .string(application.clientID),
                "clientSecret": .string(application.clientSecret ?? ""),
            ],
        ]
    }

    /// How many codes and refresh tokens were presented so far.
    var exchanges: Int { simulator.hits(.token) }

    /// Signs a new user in, whose access token is then due for a refresh.
    func signIn(_ login: String, at client: IdentityToolkitApp) async throws -> String {
        let challenge = CodeChallenge()
        let application = simulator.defaultApplication
        let person = simulator.add(.init(subject: login))
        let code = simulator.authorizationCode(
            for: person, application: application, codeChallenge: challenge.value)
        let answer = try await client.signIn(
            [("code", code), ("code_verifier", challenge.verifier)], provider: Self.id,
            requestURI: application.redirectURIs[0])
        return try IdentityToolkitApp.Session(answer).localID
    }
}

extension Installation {
    /// A new admin token that may read the tokens of providers.
    func backendToken() async throws -> String {
        let created = try await document(
            "admin", "token", "create", "--name", "Backend", "--scope", "provider-tokens:read")
        return try #require(created["token"]?.string)
    }
}

extension IdentityToolkitApp {
    /// Reads a user's token of the issuer.
    func providerToken(of localID: String, with token: String) async throws -> Answer {
        try await send(
            "POST", "/v1/broker/users/\(localID)/providers/\(TokenIssuer.id):token",
            headers: [("Authorization", "Bearer \(token)")])
    }
}
