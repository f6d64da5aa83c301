import Foundation
import ProviderKit
import ProviderSimulators
import Testing

/// Runs whole sessions with random secrets and searches everything a broker leaves behind for them.
@Suite("No secret is written where others read it", .timeLimit(.minutes(20)))
struct SecretsTests {
    @Test func `neither logs at level debug, nor the command line, nor the database tell any`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            let secrets = Secrets(broker)
            var said = try await broker.serve(logLevel: "debug") { process, client in
                try await Self.goodSession(broker, client, secrets)
                try await Self.providerTrouble(broker, client, secrets)
                try await Self.hostileInput(broker, client, secrets)
                let alive = try await client.get("/healthz")
                #expect(alive.status == 200)
                let stored = try broker.storeBytes()
                process.terminate()
                let exitCode = try await process.exitCode()
                #expect(exitCode == 0)
                secrets.expectNone(in: stored, "the database while it is open")
                return process.everything
            }
            said += try await Self.commandLine(broker, secrets)

            #expect(said.contains(#""level":"debug""#))
            #expect(said.contains("credential not verified"))
            secrets.expectNone(in: Data(said.utf8), "what the process wrote")
            secrets.expectNone(in: try broker.storeBytes(), "the database")
        }
    }

    /// Sign-in by token and by code, refresh, reuse of a refresh token, lookup, sign-out.
    private static func goodSession(
        _ broker: Installation, _ client: IdentityToolkitApp, _ secrets: Secrets
    ) async throws {
        let token = secrets.note(try broker.accessToken("ada"), "provider access token")
        let session = secrets.note(try .init(try await client.signIn(accessToken: token)))
        let challenge = CodeChallenge()
        secrets.note(challenge.verifier, "code verifier")
        let callback = "http://127.0.0.1:4000/oauth/callback/github.com"
        let code = broker.github.authorizationCode(
            for: try broker.person("ben"), application: broker.github.defaultApplication, redirectURI: callback,
            codeChallenge: challenge.value)
        secrets.note(code, "code")
        let fields = [("code", code), ("code_verifier", challenge.verifier)]
        let byCode = try await client.signIn(fields, requestURI: callback)
        secrets.note(try .init(byCode))
        secrets.note(try #require(byCode.body["oauthAccessToken"]?.string), "access token behind the code")
        secrets.note(try .init(try await client.signUp()))

        let refreshed = try await client.refresh(session.refreshToken)
        let successor = secrets.note(try #require(refreshed.body["refresh_token"]?.string), "refresh token")
        let idToken = secrets.note(try #require(refreshed.body["id_token"]?.string), "ID token")
        let again = try await client.refresh(successor)
        secrets.note(try #require(again.body["refresh_token"]?.string), "refresh token")
        let found = try await client.lookup(idToken)
        let reused = try await client.refresh(session.refreshToken)
        let dead = try await client.lookup(idToken)
        #expect(again.status == 200 && found.status == 200)
        #expect(reused.errorCode == "TOKEN_EXPIRED", "\(reused)")
        #expect(dead.status == 400)
        let replayed = try await client.signIn(fields, requestURI: callback)
        #expect(replayed.errorCode == "INVALID_IDP_RESPONSE")
    }

    /// A provider that repeats what it was sent, and one that breaks off.
    private static func providerTrouble(
        _ broker: Installation, _ client: IdentityToolkitApp, _ secrets: Secrets
    ) async throws {
        let token = secrets.note(try broker.accessToken("cleo"), "provider access token")
        let echo = #"{"message":"bad token \#(token)","error":"\#(token)","error_description":"\#(token)"}"#
        let endpoints: [GitHubSimulator.Endpoint] = [.checkToken, .user, .emails]
        for endpoint in endpoints {
            for fault: SimulatorFault in [
                .status(500, body: echo), .status(401, body: echo), .status(200, body: echo),
                .redirect(to: "http://127.0.0.1:1/\(token)"), .closeConnection, .duplicateKeys, .truncatedBody,
            ] {
                broker.github.fail(endpoint, with: fault, times: 1)
                _ = try await client.signIn(accessToken: token)
                broker.github.clearFaults()
            }
        }
        let code = secrets.note(randomText(20), "code")
        let verifier = secrets.note(randomText(50), "code verifier")
        broker.github.fail(.accessToken, with: .status(200, body: echo.replacing(token, with: code)), times: 1)
        _ = try await client.signIn([("code", code), ("code_verifier", verifier)])
    }

    /// Secrets in all the places they do not belong.
    private static func hostileInput(
        _ broker: Installation, _ client: IdentityToolkitApp, _ secrets: Secrets
    ) async throws {
        let secret = secrets.note("gho_" + randomText(36), "misplaced token")
        let json = [("Content-Type", "application/json")]
        let forged = "rt1_\(randomText(8)).\(randomText(22)).0.\(randomText(43))"
        _ = try await client.refresh(secrets.note(forged, "forged refresh token"))
        _ = try await client.lookup("\(secret).\(secret).\(secret)")
        _ = try await client.signIn(accessToken: secret)
        _ = try await client.signIn([("id_token", secret)])
        _ = try await client.signIn([("access_token", secret), ("error", secret)])
        _ = try await client.signIn([("access_token", secret)], provider: secret.lowercased())
        _ = try await client.signIn([], requestURI: "http://localhost/?access_token=\(secret)&x=%zz")
        _ = try await client.get("/v1/accounts:lookup/\(secret)?access_token=\(secret)")
        _ = try await client.send("GET", "/\(secret)")
        _ = try await client.send("POST", "/v1/accounts:lookup?key=\(secret)", headers: json, body: "{}")
        for body in [
            #"{"idToken":"\#(secret)""#, #"{"\#(secret)":1,"\#(secret)":2}"#, #"{"idToken":["\#(secret)"]}"#, secret,
            #"{"requestUri":"\#(secret)","postBody":"\#(secret)"}"#,
        ] {
            for path in ["accounts:lookup", "accounts:signInWithIdp", "token"] {
                _ = try await client.send("POST", "/v1/\(path)?key=\(client.apiKey)", headers: json, body: body)
            }
        }
        for name in ["Authorization", "Cookie", "X-Request-Id", "X-Forwarded-For", "User-Agent", "Origin", "Referer"] {
            let value = name == "Authorization" ? "Bearer \(secret)" : secret
            _ = try await client.send(
                "POST", "/v1/accounts:signUp?key=\(client.apiKey)", headers: json + [(name, value)], body: "[]")
        }
        _ = try await client.send(
            "POST", "/v1/token?key=\(client.apiKey)", headers: [("Content-Type", secret)], body: secret)
        _ = try await client.send(secret, "/v1/token")
    }

    /// Every command that touches a credential, at level debug.
    private static func commandLine(_ broker: Installation, _ secrets: Secrets) async throws -> String {
        let token = secrets.note(try broker.accessToken("ben"), "provider access token")
        let dead = secrets.note("gho_" + randomText(36), "dead token")
        var said = ""
        for (arguments, input) in [
            (["providers", "list"], ""), (["providers", "check"], ""), (["users", "list"], ""),
            (["users", "show", "ada@example.com"], ""), (["link", "--provider", "github"], token),
            (["link", "--provider", "github"], dead),
            (["link", "--provider", "github"], #"{"accessToken":"\#(dead)",}"#),
            (["link", "--provider", "github"], #"{"\#(dead)":"\#(dead)"}"#),
            (["link", "--provider", "github"], "\(dead) \(dead)"),
            (["link", "--provider", "github"], #"{"idToken":"\#(dead)"}"#),
            (["link", "--provider", "github", "--user", "ada@example.com", "--yes"], token),
        ] {
            for format in [[], ["--json"]] {
                let result = try await CommandResult.broker(
                    arguments + format + ["--log-level", "debug"], input: input, in: broker.folder)
                #expect(result.exitCode != nil, "\(arguments): \(result)")
                said += result.everything
            }
        }
        return said
    }
}
