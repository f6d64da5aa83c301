import Foundation
import JOSE
import PostgreSQLTesting
import ProviderKit
import Testing

/// A third party's provider, configured only by an entry of `plugins.json`.
@Suite(
    "oidc-provider-mock through an entry without code", .oneEngine("requests to providers"), .timeLimit(.minutes(20))
)
struct NoCodeProviderTests {
    private static let alice: JSONObject = [
        "sub": "alice", "email": "alice@example.com", "email_verified": true, "name": "Alice Example",
    ]

    @Test func `a user signs in twice with code and verifier, and codes are single-use`() async throws {
        try await MockProvider.run(person: Self.alice) { mock in
            try await Installation.run { broker in
                try Self.offer(mock, at: broker)
                try await broker.serve { process, client in
                    let first = try await Self.signIn(at: client, mock)
                    let again = try await Self.signIn(at: client, mock)
                    let replayed = try await client.signIn(
                        again.fields, provider: "oidc.mock", requestURI: Self.redirectURI)

                    let session = try IdentityToolkitApp.Session(first.answer)
                    let body = first.answer.body
                    #expect(body["isNewUser"] == true && body["providerId"] == "oidc.mock")
                    #expect(body["email"] == "alice@example.com" && body["emailVerified"] == true, "\(first.answer)")
                    #expect(body["displayName"] == "Alice Example")
                    #expect(try IdentityToolkitApp.Session(again.answer).localID == session.localID)
                    #expect(replayed.errorCode == "INVALID_IDP_RESPONSE", "\(replayed)")
                    #expect(!process.everything.contains(again.fields[0].value), "a code stands in the log")
                }
            }
        }
    }

    @Test func `its native ID tokens are accepted, and one with a broken signature is not`() async throws {
        try await MockProvider.run(person: Self.alice) { mock in
            try await Installation.run { broker in
                try Self.offer(mock, at: broker)
                try await broker.serve { process, client in
                    let (granted, fields) = try await Self.signIn(at: client, mock, credential: true)
                    let token = try #require(granted.body["oauthIdToken"]?.string, "\(granted)")
                    let tampered = token.dropLast(6) + "AAAAAA"

                    let nonce = ("nonce", fields[2].value)
                    let native = try await client.signIn([("id_token", token), nonce], provider: "oidc.mock")
                    let forged = try await client.signIn(
                        [("id_token", String(tampered)), nonce], provider: "oidc.mock")

                    #expect(native.body["localId"] == granted.body["localId"], "\(native)\n\(process.log.text)")
                    #expect(forged.errorCode == "INVALID_IDP_RESPONSE", "\(forged)")
                }
            }
        }
    }

    @Test func `providers check finds nothing wrong with it`() async throws {
        try await MockProvider.run(person: Self.alice) { mock in
            try await Installation.run { broker in
                try Self.offer(mock, at: broker)
                let result = try await broker.command("providers", "check", "oidc.mock")
                #expect(result.exitCode == 0, "\(result)")
            }
        }
    }

    private static let redirectURI = "http://localhost:3000/callback"
    private static let clientID = "no-code"

    /// Replaces the installation's providers by one entry that points at the mock.
    private static func offer(_ mock: MockProvider, at broker: Installation) throws {
        let entry: JSONValue = [
            "id": "oidc.mock", "use": "oidc", "trustEmail": true, "allowInsecureLoopback": true,
            "options": [
                "issuer": .string(mock.url), "clientId": .string(clientID), "clientSecret": .string(randomText()),
                "nativeNonce": "plain",
            ],
        ]
        try broker.folder.write(JSONValue.object(["providers": [entry]]).serialized(), to: "plugins.json")
    }

    /// Signs in as an app does: the provider's page with PKCE and a nonce, since the mock's discovery promises no PKCE,
    /// then the code with both to the broker.
    private static func signIn(
        at client: IdentityToolkitApp, _ mock: MockProvider, credential: Bool = false
    ) async throws -> (answer: IdentityToolkitApp.Answer, fields: [(name: String, value: String)]) {
        let challenge = CodeChallenge()
        let (state, nonce) = (randomText(), randomText())
        let query = FormEncoding.encode([
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
            ("scope", "openid email profile"), ("state", state), ("code_challenge", challenge.value),
            ("code_challenge_method", "S256"), ("nonce", nonce),
        ])
        let returned = try await mock.consent(at: mock.url + "/oauth2/authorize?" + query, subject: "alice")
        #expect(returned["state"] == state)
        let fields = [
            (name: "code", value: try #require(returned["code"])), (name: "code_verifier", value: challenge.verifier),
            (name: "nonce", value: nonce),
        ]
        let body: JSONValue = [
            "requestUri": .string(redirectURI), "returnSecureToken": true, "returnIdpCredential": .bool(credential),
            "postBody": .string(FormEncoding.encode(fields + [("providerId", "oidc.mock")])),
        ]
        return (try await client.post("/v1/accounts:signInWithIdp", body), fields)
    }
}
