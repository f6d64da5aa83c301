import Foundation
import GitHub
import ProviderKit
import ProviderKitTesting
import Testing

@Suite("GitHub")
struct GitHubProviderTests {
    static let clientID = "Iv1.test"
    static let user: JSONValue = [
        "id": 583_231, "login": "mona", "name": nil, "email": "public@example.com",
        "avatar_url": "https://avatars.example/1",
    ]
    static let check: JSONValue = [
        "app": ["client_id": .string(clientID)], "user": ["id": 583_231, "login": "mona"], "scopes": ["user:email"],
    ]
    static let emails: JSONValue = [
        ["email": "old@example.com", "primary": false, "verified": true],
        ["email": "mona@example.com", "primary": true, "verified": true],
    ]
    static let script: ScriptedUpstream.Script = [
        "/login/oauth/access_token": [
            .json(["access_token": "gho_x", "scope": "read:user,user:email", "token_type": "bearer"])
        ],
        "/applications/": [.json(check)], "/user": [.json(user)], "/user/emails": [.json(emails)],
    ]
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static func provider(
        _ upstream: ScriptedUpstream, options: JSONObject = JSONObject(), loopback: Bool = false
    ) throws -> any IdentityProvider {
        var all = JSONObject([("clientId", .string(clientID)), ("clientSecret", "s")])
        for (name, value) in options { all[name] = value }
        return try ProviderPlugin.github.provider(
            options: .object(all), decoder: JSONValueDecoder(), path: "",
            in: ProviderContext(
                id: "github.com", upstream: upstream,
                tokens: StandaloneTokens(upstream: upstream, now: { now }), now: { now },
                allowsInsecureLoopback: loopback))
    }

    static func verify(
        _ changes: ScriptedUpstream.Script = [:], options: JSONObject = JSONObject(),
        credential: Credential = Credential(.accessToken("gho_x"))
    ) async throws -> ExternalIdentity {
        try await provider(ScriptedUpstream(script.merging(changes) { _, new in new }), options: options)
            .verify(credential)
    }

    static func failure(_ changes: ScriptedUpstream.Script, credential: Credential? = nil) async -> ProviderError? {
        await #expect(throws: ProviderError.self) {
            _ = try await verify(changes, credential: credential ?? Credential(.accessToken("gho_x")))
        }
    }

    @Test func `the numeric id is the subject, the login only a name`() async throws {
        let identity = try await Self.verify()

        #expect(identity.subject == "583231")
        #expect(identity.displayName == "mona" && identity.screenName == "mona")
        #expect(identity.email == .init("mona@example.com", isVerified: true))
        #expect(identity.profile["login"] == "mona" && identity.profile["emails"] == Self.emails)
        #expect(identity.grant?.accessToken == "gho_x" && identity.grant?.clientID == Self.clientID)
        #expect(identity.grant?.scopes == ["user:email"])
    }

    @Test func `the entry's scopes are requested, and an empty client is refused`() async throws {
        let provider = try Self.provider(ScriptedUpstream(Self.script), options: ["scopes": ["read:org", "repo"]])
        let redirecting = try #require(provider as? any RedirectSignIn)
        let url = try await redirecting.authorizationURL(
            for: SignInAttempt(state: "s", redirectURI: "https://id.example/cb", codeChallenge: "c"))

        #expect(redirecting.scopes == ["read:org", "repo"] && url.contains("scope=read%3Aorg%20repo"))
        for option in ["clientId", "clientSecret"] {
            let error = #expect(throws: ProviderError.self) {
                try Self.provider(ScriptedUpstream(Self.script), options: [option: ""])
            }
            #expect(error?.fault == .configuration)
        }
    }

    @Test func `a token is checked as ours before anything is read with it`() async throws {
        let upstream = ScriptedUpstream(Self.script)
        _ = try await Self.provider(upstream).verify(Credential(.accessToken("gho_x")))

        let first = try #require(upstream.requests.first)
        #expect(first.method == .post && first.url == "https://api.github.com/applications/Iv1.test/token")
        #expect(first.headers.contains { $0.name == "Authorization" && $0.value.hasPrefix("Basic ") })
        #expect(upstream.requests.allSatisfy { $0.headers.contains { $0.name == "User-Agent" } })
    }

    @Test(arguments: [404, 422])
    func `a token of another application is a credential fault`(status: Int) async throws {
        #expect(await Self.failure(["/applications/": [.status(status)]])?.fault == .credential)
    }

    @Test func `a token check with another application or another user is refused`() async throws {
        let foreign: JSONValue = ["app": ["client_id": "other"], "user": ["id": 583_231]]
        let stranger: JSONValue = ["app": ["client_id": .string(Self.clientID)], "user": ["id": 1]]

        #expect(await Self.failure(["/applications/": [.json(foreign)]])?.fault == .credential)
        #expect(await Self.failure(["/applications/": [.json(stranger)]])?.fault == .credential)
    }

    @Test func `a refusal of our own client is the operator's fault`() async throws {
        #expect(await Self.failure(["/applications/": [.status(401)]])?.fault == .configuration)
    }

    @Test(arguments: [
        ("bad_verification_code", ProviderError.Fault.credential), ("unverified_user_email", .credential),
        ("incorrect_client_credentials", .configuration), ("redirect_uri_mismatch", .configuration),
        ("access_denied", .cancelled), ("something_new", .upstream),
    ])
    func `errors that come with status 200 say who has to act`(error: String, fault: ProviderError.Fault) async throws {
        let code = Credential(.authorizationCode(.init(code: "c", redirectURI: "https://app.example/cb")))
        let answer = UpstreamResponse.json(["error": .string(error), "error_description": "…"])

        #expect(await Self.failure(["/login/oauth/access_token": [answer]], credential: code)?.fault == fault)
    }

    @Test func `a code is redeemed with its redirect URI and verifier, and JSON is asked for`() async throws {
        let upstream = ScriptedUpstream(Self.script)
        let code = Credential.AuthorizationCode(code: "c&d", redirectURI: "https://app.example/cb", verifier: "v")
        let identity = try await Self.provider(upstream).verify(Credential(.authorizationCode(code)))

        let request = try #require(upstream.requests.first)
        let form = try #require(request.body.flatMap { FormEncoding.decode($0) })
        #expect(form.first { $0.name == "code" }?.value == "c&d")
        #expect(form.first { $0.name == "redirect_uri" }?.value == "https://app.example/cb")
        #expect(form.first { $0.name == "code_verifier" }?.value == "v")
        #expect(request.headers.contains { $0.name == "Accept" && $0.value == "application/json" })
        #expect(identity.grant?.scopes == ["read:user", "user:email"])
    }

    @Test func `the primary address may stand on the second page`() async throws {
        let first = UpstreamResponse.json(
            [["email": "a@example.com", "primary": false, "verified": true]],
            headers: [("Link", #"<https://api.github.com/user/emails?page=2>; rel="next""#)])
        let second = UpstreamResponse.json([["email": "b@example.com", "primary": true, "verified": true]])

        let identity = try await Self.verify(["/user/emails": [first, second]])

        #expect(identity.email == .init("b@example.com", isVerified: true))
    }

    @Test(arguments: [403, 404])
    func `without permission to read addresses the public one is unverified`(status: Int) async throws {
        let identity = try await Self.verify(["/user/emails": [.status(status)]])
        #expect(identity.email == .init("public@example.com", isVerified: false))
    }

    @Test(arguments: [
        ([("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1800000060")], 60), ([("Retry-After", "7")], 7),
        ([("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "99999999999999999")], 3600),
    ])
    func `rate limits are an upstream fault with a retry time`(headers: [(String, String)], wait: Int) async throws {
        let error = await Self.failure(["/user/emails": [.status(403, headers: headers)]])
        #expect(error?.fault == .upstream && error?.retryAfter == wait)
    }

    @Test(arguments: [
        #"{"id":"583231","login":"x"}"#, #"{"id":1.0,"login":"x"}"#, #"{"id":1e3,"login":"x"}"#, #"{"login":"x"}"#,
        #"{"id":99999999999999999999,"login":"x"}"#, #"{"id":1,"id":2,"login":"x"}"#, "[]", "", "<html>",
    ])
    func `an id that is no plain integer never becomes a subject`(body: String) async throws {
        let error = await Self.failure(["/user": [UpstreamResponse(status: 200, body: Array(body.utf8))]])
        #expect(error?.fault == .upstream)
    }

    @Test(arguments: [
        (nil, nil, "https://api.github.com"), ("https://ghe.example", nil, "https://ghe.example/api/v3"),
        ("https://acme.ghe.com/", nil, "https://api.acme.ghe.com"),
        ("https://ghe.example", "https://api.example", "https://api.example"),
    ])
    func `the API's address follows the installation's`(url: String?, apiURL: String?, expected: String) async throws {
        var options = JSONObject()
        options["url"] = url.map(JSONValue.string)
        options["apiUrl"] = apiURL.map(JSONValue.string)
        let upstream = ScriptedUpstream(Self.script)

        let provider = try Self.provider(upstream, options: options)
        _ = try await provider.verify(Credential(.accessToken("gho_x")))

        #expect(upstream.requests.first?.url.hasPrefix(expected + "/applications/") == true)
        #expect(
            provider.instance == (url.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? "https://github.com"))
    }

    @Test(arguments: [
        ("https://github.com", true, false), ("https://acme.ghe.com", true, false),
        ("https://ghe.com.example", false, true),
    ])
    func `GitHub's own services check verifiers, an installation is asked for its metadata`(
        url: String, checks: Bool, isAsked: Bool
    ) async throws {
        let upstream = ScriptedUpstream([
            "/.well-known/oauth-authorization-server/login/oauth": [.status(404)]
        ])
        let provider = try Self.provider(upstream, options: ["url": .string(url)])

        #expect(try await provider.checksCodeVerifier() == checks)
        #expect(upstream.requests.isEmpty != isAsked)
    }

    @Test(arguments: [
        "http://ghe.example", "ftp://ghe.example", "https://u@ghe.example", "https://ghe.example?x", "ghe.example",
        "http://127.0.0.1:1", "https://①②⑦.⓪.⓪.①", "https://a\\b",
    ])
    func `an insecure base URL is refused`(url: String) async throws {
        #expect(throws: ProviderError.self) {
            try Self.provider(ScriptedUpstream([:]), options: JSONObject([("url", .string(url))]))
        }
    }

    @Test(arguments: ["https://GitHub.com", "https://github.com:443", "HTTPS://github.com/"])
    func `every spelling of the installation's URL gives the same instance`(url: String) throws {
        let provider = try Self.provider(ScriptedUpstream([:]), options: JSONObject([("url", .string(url))]))
        #expect(provider.instance == GitHubProvider.publicInstance?.instance)
    }

    @Test func `Enterprise Server's primary address is trusted only with the operator's option`() async throws {
        let emails: JSONValue = [["email": "a@example.com", "primary": true, "verified": false]]
        let strict = try await Self.verify(["/user/emails": [.json(emails)]])
        let trusting = try await Self.verify(
            ["/user/emails": [.json(emails)]], options: JSONObject([("trustUnverifiedEmails", true)]))

        #expect(strict.email?.isVerified == false && trusting.email?.isVerified == true)
    }

    @Test(arguments: ["/applications/", "/user", "/user/emails"])
    func `no error repeats the credential`(path: String) async throws {
        for response in [UpstreamResponse.status(500), .status(401), .json(["error": "gho_x"]), .json("gho_x")] {
            do {
                _ = try await Self.verify([path: [response]])
            } catch let error as ProviderError {
                #expect(!"\(error)".contains("gho_x"))
            }
        }
    }
}
