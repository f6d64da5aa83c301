import JOSE
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker serve", .timeLimit(.minutes(20)))
struct ServeTests {
    @Test func `a GitHub access token becomes a session that refreshes and finds its user`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let answer = try await client.signIn(accessToken: try broker.accessToken("ada"))
                let session = try IdentityToolkitApp.Session(answer)
                let refreshed = try await client.refresh(session.refreshToken)
                let found = try await client.lookup(try #require(refreshed.body["id_token"]?.string))

                #expect(answer.body["isNewUser"] == true)
                #expect(answer.body["email"] == "ada@example.com")
                #expect(refreshed.status == 200, "\(refreshed)")
                #expect(refreshed.body["user_id"]?.string == session.localID)
                #expect(refreshed.body["refresh_token"]?.string != session.refreshToken)
                let user = found.body["users"]?.array?.first
                #expect(user?["localId"]?.string == session.localID)
                #expect(user?["providerUserInfo"]?.array?.first?["providerId"] == "github.com")
            }
        }
    }

    @Test func `a code with its verifier signs in once, and not with another verifier`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let challenge = CodeChallenge()
                let callback = "http://127.0.0.1:4000/oauth/callback/github.com"
                func code() throws -> String {
                    broker.github.authorizationCode(
                        for: try broker.person("ben"), application: broker.github.defaultApplication,
                        redirectURI: callback, codeChallenge: challenge.value)
                }
                func signIn(_ code: String, _ verifier: String) async throws -> IdentityToolkitApp.Answer {
                    try await client.signIn([("code", code), ("code_verifier", verifier)], requestURI: callback)
                }
                let good = try code()

                let answer = try await signIn(good, challenge.verifier)
                let replayed = try await signIn(good, challenge.verifier)
                let stolen = try await signIn(try code(), CodeChallenge().verifier)

                #expect(answer.status == 200, "\(answer)")
                #expect(answer.body["screenName"] == "ben")
                #expect(replayed.errorCode == "INVALID_IDP_RESPONSE")
                #expect(stolen.errorCode == "INVALID_IDP_RESPONSE")
            }
        }
    }

    @Test func `an ID token is verified with the published keys`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let session = try IdentityToolkitApp.Session(
                    try await client.signIn(accessToken: try broker.accessToken("ada")))
                let discovery = try await client.get("/my-app/.well-known/openid-configuration")
                let keys = try KeySet(importing: try await client.get("/my-app/.well-known/jwks.json").body)

                let claims = try CompactJWS(parsing: session.idToken).verified(with: keys, algorithms: [.es256])

                #expect(claims["iss"] == discovery.body["issuer"])
                #expect(claims["aud"] == "my-app")
                #expect(claims["sub"]?.string == session.localID)
                #expect(claims["firebase"]?["sign_in_provider"] == "github.com")
            }
        }
    }

    @Test func `it is alive and ready, and says so`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let alive = try await client.get("/healthz")
                let ready = try await client.get("/readyz")

                #expect(alive.status == 200, "\(alive)")
                #expect(ready.status == 200, "\(ready)")
                #expect(ready.body["status"] == "ready")
            }
        }
    }

    @Test func `a second broker on the same port says what is wrong and exits 1`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let address = String(client.url.dropFirst("http://".count))

                let second = try await broker.command("serve", "--json", "--listen", address)

                #expect(second.exitCode == 1, "\(second)")
                #expect(second.errorCode == "LISTEN")
                #expect(second.errors.contains(address))
                #expect(try await client.get("/healthz").status == 200, "the first one goes on")
            }
        }
    }

    @Test func `the command line sees the users of a broker that is running, and may add some`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let ada = try IdentityToolkitApp.Session(
                    try await client.signIn(accessToken: try broker.accessToken("ada")))
                let link = try await broker.command(
                    "link", "--provider", "github", "--json", input: try broker.accessToken("ben"))
                let ben = try JSONValue(parsing: link.output)["user"]?["localId"]?.string

                let list = try await broker.command("users", "list", "--json")
                let again = try await client.signIn(accessToken: try broker.accessToken("ben"))

                let listed = try JSONValue(parsing: list.output)["users"]?.array?.compactMap { $0["localId"]?.string }
                #expect(Set(listed ?? []) == Set([ada.localID, ben].compactMap(\.self)))
                #expect(again.body["localId"]?.string == ben)
                #expect(again.body["isNewUser"] == nil)
            }
        }
    }

    @Test func `its users are still there after a restart, with their sessions`() async throws {
        try await Installation.run { broker in
            let session = try await broker.serve { process, client in
                let answer = try await client.signIn(accessToken: try broker.accessToken("ada"))
                process.terminate()
                #expect(try await process.exitCode() == 0)
                return try IdentityToolkitApp.Session(answer)
            }

            try await broker.serve { _, client in
                let found = try await client.lookup(session.idToken)
                let refreshed = try await client.refresh(session.refreshToken)
                #expect(found.body["users"]?.array?.first?["localId"]?.string == session.localID, "\(found)")
                #expect(refreshed.body["user_id"]?.string == session.localID, "\(refreshed)")
            }
        }
    }
}
