import PostgreSQLTesting
import ProviderKit
import Testing

/// The built broker as OpenID Provider, judged by Authlib and joserfc.
@Suite("Authlib signs users in", .oneEngine("Authlib's OpenID Connect client"), .timeLimit(.minutes(20)))
struct AuthlibTests {
    private static let callback = "http://127.0.0.1:1/callback"
    private static let farewell = "http://127.0.0.1:1/farewell"

    @Test(arguments: ["github.com", "apple.com"])
    func `an app gets verified tokens, refreshes, introspects and revokes them`(provider: String) async throws {
        try await HostedBroker.run { broker in
            let app = try await Self.app(at: broker)
            let results = try await app.run(
                .signIn(["provider": .string(provider)]), .userinfo, .introspect("access_token"), .refresh,
                .introspect("refresh_token"), .revoke("refresh_token"), .introspect("access_token"), .userinfo)
            let (first, refreshed) = (results[0]["claims"], results[3]["claims"])

            #expect(results[0]["header"]?["alg"] == "ES256" && results[0]["has_at_hash"] == true, "\(results)")
            #expect(first?["email"] == "ada@example.com" && first?["email_verified"] == true, "\(results)")
            #expect(first?["amr"]?.array?.contains("fed") == true, "\(results)")
            #expect(try #require(results[0]["seconds_since_auth"]?.integer) < 120, "\(results)")
            #expect(results[1]["status"] == 200 && results[1]["claims"]?["sub"] == first?["sub"], "\(results)")
            #expect(results[2]["answer"]?["active"] == true, "\(results)")
            #expect(results[2]["answer"]?["sub"] == first?["sub"], "\(results)")
            #expect(results[3]["rotated"] == true && results[3]["renewed"] == true, "\(results)")
            for name in ["sub", "auth_time", "sid", "aud"] { #expect(refreshed?[name] == first?[name], "\(name)") }
            #expect(results[4]["answer"]?["active"] == true, "\(results)")
            #expect(results[5]["status"] == 200, "\(results)")
            #expect(results[6]["answer"]?["active"] == false, "revoked: \(results)")
            #expect(results[7]["status"] == 401, "revoked: \(results)")
        }
    }

    @Test func `the second sign-in needs no page; prompt and max_age make it need one`() async throws {
        try await HostedBroker.run { broker in
            let app = try await Self.app(at: broker)
            let results = try await app.run(
                .authorize(["prompt": "none"]), .signIn(), .signIn(["prompt": "none"]), .signIn(["max_age": 3600]),
                .nextSecond, .signIn(["max_age": 0]), .nextSecond, .signIn(["prompt": "login"]),
                .logOut(to: Self.farewell), .authorize(["prompt": "none"]))
            let signIns = results.filter { $0["claims"] != nil }

            #expect(results[0]["error"] == "login_required", "\(results)")
            #expect(Set(signIns.map { $0["claims"]?["sub"]?.string ?? "" }).count == 1, "\(results)")
            // The chooser and the provider's page, or none at all.
            #expect(signIns.map { $0["pages"]?.integer } == [2, 0, 0, 2, 2], "\(results)")
            let farewell = results[results.count - 2]
            #expect(farewell["state_came_back"] == true && farewell["pages"] == 0, "\(results)")
            #expect(results.last?["error"] == "login_required", "\(results)")
        }
    }

    @Test func `RS256 and a public client do as well`() async throws {
        try await HostedBroker.run { broker in
            var app = try await Self.app(at: broker, "--type", "public", "--id-token-alg", "RS256")
            app.person = "ben"
            let results = try await app.run(.signIn(["provider": "1pass.dev"]), .userinfo, .refresh)

            #expect(results[0]["header"]?["alg"] == "RS256", "\(results)")
            #expect(results[1]["claims"]?["sub"] == results[0]["claims"]?["sub"], "\(results)")
            #expect(results[2]["claims"]?["sub"] == results[0]["claims"]?["sub"], "\(results)")
        }
    }

    private static func app(at broker: HostedBroker, _ options: String...) async throws -> RelyingParty {
        let options = options.isEmpty ? ["--type", "confidential"] : options
        let result = try await CommandResult.broker(
            [
                "clients", "add", "--name", "Authlib", "--redirect-uri", callback, "--post-logout-redirect-uri",
                farewell, "--json",
            ] + options, in: broker.folder)
        let document = try JSONValue(parsing: result.output)
        return RelyingParty(
            issuer: broker.url, clientID: try #require(document["client"]?["clientId"]?.string, "\(result)"),
            clientSecret: document["clientSecret"]?.string, redirectURI: callback,
            scope: "openid profile email offline_access", person: "Ada", providerName: "GitHub")
    }
}
