import ProviderKit
import Testing

@testable import Generic
@testable import ProviderKitTesting

@Suite("oauth2: requests and responses in dialect")
struct OAuth2DialectTests {
    /// Signs the user of a fixture in, and returns the requests.
    private static func requests(
        of fixture: ProviderFixture, changing changes: JSONObject = [:], answering answers: [ScriptedEndpoint] = []
    ) async throws -> (identity: ExternalIdentity, requests: [UpstreamRequest]) {
        let upstream = ScriptedUpstream(answers + fixture.endpoints)
        let provider = try fixture.provider(over: upstream, changing: changes)
        return (try await provider.verify(ScriptedDialects.credential), upstream.requests)
    }

    @Test func `a token request by GET has its parameters under the server's names, outside of the URL that logs show`()
        async throws
    {
        let requests = try await Self.requests(of: ScriptedDialects.inTheQuery).requests
        let token = try #require(requests.first)

        #expect(token.method == .get && token.url == "https://id.example/token" && token.body == nil)
        #expect(token.queryValue("appid") == "app" && token.queryValue("secret") == ScriptedDialects.secret)
        #expect(token.queryValue("code") == ScriptedDialects.code && token.queryValue("fmt") == "json")
        #expect(token.queryValue("client_id") == nil && token.queryValue("client_secret") == nil)
        #expect(!"\(token)".contains(ScriptedDialects.secret) && !"\(token)".contains(ScriptedDialects.code))
    }

    @Test func `a token in the query is sent there, and no URL, print or dump shows it`() async throws {
        let requests = try await Self.requests(of: ScriptedDialects.inTheQuery).requests
        let profile = try #require(requests.last)
        var dumped = ""
        dump(profile, to: &dumped)

        #expect(profile.url == "https://id.example/me?openid=o%2F1&realm=r-1")
        #expect(profile.sentURL == profile.url + "&token=" + ScriptedDialects.accessToken)
        #expect(profile.headers.allSatisfy { $0.name.lowercased() != "authorization" })
        #expect(!"\(profile)\(dumped)".contains(ScriptedDialects.accessToken))
    }

    @Test func `a token at the end of the path is there alone, and no URL shows it`() async throws {
        let requests = try await Self.requests(
            of: ScriptedDialects.inTheQuery,
            changing: ["userinfoUrl": "https://id.example/tokens/{/access_token}", "userinfoToken": .null],
            answering: [ScriptedEndpoint(.get, "https://id.example/tokens/", .json(["unionid": "1"]))]
        ).requests
        let profile = try #require(requests.last)

        #expect(profile.url == "https://id.example/tokens/" && profile.bearerToken == nil)
        #expect(profile.sentURL == "https://id.example/tokens/" + ScriptedDialects.accessToken)
    }

    @Test(arguments: [("oauth2.query", true), ("oauth2.json", false), ("oauth2.list", false)])
    func `the check hints at a token in a URL`(dialect: String, isHinted: Bool) async throws {
        let fixture = try #require(ScriptedDialects.all.first { $0.id == dialect })
        let refusal = ScriptedEndpoint(
            fixture.id == "oauth2.query" ? .get : .post, ScriptedDialects.server + "/token",
            .json(["error": "invalid_grant"], status: 400))
        let provider = try fixture.provider(over: ScriptedUpstream([refusal] + fixture.endpoints))
        let findings = try await #require(provider as? any ConfigurationCheck).checkConfiguration()

        #expect(findings.map(\.code) == (isHinted ? ["token-in-query"] : []))
        #expect(!findings.contains { !$0.isHint })
    }

    @Test(arguments: ["/me?openid={/openid}", "/users/{/openid}", "/tokens/{/access_token}"])
    func `the check does not ask at a URL that needs a sign-in`(path: String) async throws {
        let upstream = ScriptedUpstream(ScriptedDialects.inTheQuery.endpoints)
        let provider = try ScriptedDialects.inTheQuery.provider(
            over: upstream, changing: ["userinfoUrl": .string(ScriptedDialects.server + path), "userinfoToken": .null])
        _ = try await #require(provider as? any ConfigurationCheck).checkConfiguration()

        #expect(upstream.requests.map(\.url) == [ScriptedDialects.server + "/token"])
    }

    @Test func `a server that speaks JSON gets JSON`() async throws {
        let (identity, requests) = try await Self.requests(of: ScriptedDialects.inJSON)
        let token = try JSONValue(parsing: try #require(requests.first?.body))
        let query = try JSONValue(parsing: try #require(requests.last?.body))

        #expect(token["client_key"] == "app" && token["client_id"] == nil)
        #expect(token["grant_type"] == "authorization_code" && token["code"] == .string(ScriptedDialects.code))
        #expect(query == ["query": "{ me { id name } }"])
        let field = requests.last?.headers.first { $0.name == "X-Access-Token" }
        #expect(field?.value == ScriptedDialects.accessToken)
        #expect(requests.last?.bearerToken == nil)
        #expect(identity.grant?.refreshToken == ScriptedDialects.refreshToken + "-renewed")
        #expect(identity.grant?.scopes == ["profile"] && identity.grant?.expiresAt != nil)
    }

    @Test(arguments: [
        #"{"data":{"token":{"access_token":"t","token_type":"bot"}}}"#, #"{"data":{"token":{"access_token":""}}}"#,
        #"{"access_token":"t","token_type":"bearer"}"#, #"{"data":{"token":{"access_token":"t"}},"error":"x"}"#,
    ])
    func `a response without a usable token at its place signs no user in`(answer: String) async throws {
        let document = try JSONValue(parsing: answer)
        let error = await failure {
            try await Self.requests(
                of: ScriptedDialects.inJSON,
                answering: [ScriptedEndpoint(.post, ScriptedDialects.server + "/token", .json(document))])
        }
        #expect(error?.fault == .upstream && error?.step == .redeem, "\(String(describing: error))")
    }

    @Test func `the browser's request has the server's names and fragment, and an app cannot set them`() async throws {
        let provider = try ScriptedDialects.inTheQuery.provider(
            over: ScriptedUpstream([ScriptedEndpoint]()),
            changing: ["authorizationRequest": ["clientIdName": "appid", "scopeName": "user_scope", "fragment": "go"]])
        let url = try await #require(provider as? any RedirectSignIn).authorizationURL(
            for: SignInAttempt(
                state: "s", redirectURI: "https://id.example/cb", codeChallenge: "c",
                parameters: ["appid": "evil", "USER_SCOPE": "evil"]))

        #expect(url.contains("&appid=app&") && url.contains("&user_scope=profile&") && url.hasSuffix("#go"))
        #expect(!url.contains("evil") && !url.contains("client_id=") && !url.contains("&scope="))
    }

    @Test(arguments: [
        ("a b&c/d?e#f", "a%20b%26c%2Fd%3Fe%23f"), ("ü", "%C3%BC"), ("../x", "..%2Fx"), ("%2e", "%252e"),
    ])
    func `a value of the token response stays within its part of the URL`(id: String, encoded: String) async throws {
        let requests = try await Self.profileRequests(id: .string(id))
        #expect(requests.last?.url == "https://id.example/users/\(encoded)/me?id=\(encoded)")
    }

    @Test(arguments: ["", ".", "..", "...", String(repeating: "x", count: 257)])
    func `a value that is no part of a path is refused`(id: String) async throws {
        let error = await failure { try await Self.profileRequests(id: .string(id)) }
        #expect(error?.fault == .upstream && error?.step == .readProfile, "\(String(describing: error))")
    }

    private static func profileRequests(id: JSONValue) async throws -> [UpstreamRequest] {
        var answer = ScriptedDialects.tokens(of: UpstreamRequest(.post, "", at: .redeem))
        answer["id"] = id
        return try await requests(
            of: ScriptedDialects.inJSON,
            changing: [
                "userinfoUrl": "https://id.example/users/{/id}/me?id={/id}", "tokenResponse": .null,
                "userinfoRequest": .null, "requiredClaims": .null, "claims": ["subject": "/id"],
            ],
            answering: [
                ScriptedEndpoint(.post, ScriptedDialects.server + "/token", .json(.object(answer)))
            ]
                + ["a%20b%26c%2Fd%3Fe%23f", "%C3%BC", "..%2Fx", "%252e"].map {
                    ScriptedEndpoint(.get, "https://id.example/users/\($0)/me", .json(["id": "1"]))
                }
        ).requests
    }

    @Test(arguments: [
        "https://evil.example", "https://us.example@evil.example", "https://us.example.evil.example",
        "https://US.example", "https://us.example/", "http://us.example", "us.example",
        "https://evil.example#us.example",
    ])
    func `a host that the entry does not list is not asked`(instance: String) async throws {
        var answer = ScriptedDialects.tokens(of: UpstreamRequest(.post, "", at: .redeem))
        answer["instance"] = .string(instance)
        let upstream = ScriptedUpstream(
            [ScriptedEndpoint(.post, ScriptedDialects.server + "/token", .json(.object(answer)))])
        let provider = try ScriptedDialects.withAList.provider(over: upstream)
        let error = await failure { try await provider.verify(ScriptedDialects.credential) }

        #expect(error?.fault == .configuration && upstream.requests.count == 1, "\(String(describing: error))")
        #expect(error?.reason.contains("evil") == false)
    }

    @Test func `without a parameter of the callback that its URL needs a sign-in is refused`() async throws {
        let upstream = ScriptedUpstream(ScriptedDialects.inTheQuery.endpoints)
        let provider = try ScriptedDialects.inTheQuery.provider(over: upstream)
        let credential = Credential(.authorizationCode(.init(code: ScriptedDialects.code, redirectURI: nil)))
        let error = await failure { try await provider.verify(credential) }
        #expect(error?.step == .readProfile && upstream.requests.count == 1, "\(String(describing: error))")
    }

    @Test func `a token response that is the profile is shown without its tokens`() async throws {
        let identity = try await Self.requests(of: ScriptedDialects.inTheTokenResponse).identity
        #expect(identity.profile["team"] == ["id": "T1"] && identity.profile["user"]?["nick"] == "ada")
        #expect(identity.profile["access_token"] == nil && identity.profile["refresh_token"] == nil)
    }

    @Test(
        arguments: [
            (#"[]"#, nil), (#"[{"email":"b@example.com","is_primary":false,"is_confirmed":true}]"#, nil),
            (#"[{"email":"","is_primary":true,"is_confirmed":true}]"#, nil),
            (#"[{"email":"b@example.com","is_primary":true,"is_confirmed":"true"}]"#, false),
            (#"[{"is_primary":true},{"email":"b@example.com","is_primary":true,"is_confirmed":true}]"#, true),
        ] as [(String, Bool?)])
    func `of a list the primary address counts, verified as its element says`(list: String, isVerified: Bool?)
        async throws
    {
        let values = try JSONValue(parsing: list)
        let identity = try await Self.requests(
            of: ScriptedDialects.withAList,
            answering: [ScriptedEndpoint(.get, ScriptedDialects.server + "/emails", .json(["values": values]))]
        ).identity
        #expect(identity.email == isVerified.map { .init("b@example.com", isVerified: $0) })
        #expect(identity.profile["emails"]?["values"] == values)
    }

    @Test func `a profile is asked for by a form where the entry says so`() async throws {
        let (identity, requests) = try await Self.requests(
            of: ScriptedDialects.inTheQuery,
            changing: [
                "userinfoUrl": .string(ScriptedDialects.server + "/me"), "userinfoToken": .null,
                "userinfoRequest": ["method": "POST", "format": "form", "body": ["fields": "id,name"]],
            ],
            answering: [
                ScriptedEndpoint(
                    .post, ScriptedDialects.server + "/me", receives: [.personToken], .json(["unionid": "7"]))
            ])
        let profile = try #require(requests.last)

        #expect(identity.subject == "7" && profile.method == .post && profile.formValue("fields") == "id,name")
        #expect(profile.bearerToken == ScriptedDialects.accessToken)
    }

    @Test func `a list of addresses is read page by page, each with the token`() async throws {
        let (identity, requests) = try await Self.requests(of: ScriptedDialects.withAList)
        let pages = requests.suffix(2)

        #expect(pages.map(\.url) == ["/emails", "/emails/2"].map { ScriptedDialects.server + $0 })
        for page in pages {
            let field = page.headers.first { $0.name == "Authorization" }
            #expect(field?.value == "OAuth " + ScriptedDialects.accessToken)
        }
        #expect(identity.email == .init("ada@example.com", isVerified: true))
        #expect(identity.profile["emails"]?.array?.count == 2)
    }

    @Test func `without a place of the next page the header Link names it`() async throws {
        let first = UpstreamResponse(
            status: 200, headers: [("Link", "</emails/2>; rel=\"next\"")], body: Array(#"{"values":[]}"#.utf8))
        let changes: JSONObject = [
            "emails": [
                "url": .string(ScriptedDialects.server + "/emails"), "list": "/values", "primary": "/is_primary",
            ]
        ]
        let identity = try await Self.requests(
            of: ScriptedDialects.withAList, changing: changes,
            answering: [ScriptedEndpoint(.get, ScriptedDialects.server + "/emails", first)]
        ).identity

        #expect(identity.email == .init("ada@example.com", isVerified: false))
    }

    @Test func `without further options the response is the list, and its first address counts as unverified`()
        async throws
    {
        let list: JSONValue = [
            ["email": ""], ["email": "b@example.com", "is_confirmed": true], ["email": "c@example.com"],
        ]
        let identity = try await Self.requests(
            of: ScriptedDialects.withAList,
            changing: ["emails": ["url": .string(ScriptedDialects.server + "/emails")]],
            answering: [ScriptedEndpoint(.get, ScriptedDialects.server + "/emails", .json(list))]
        ).identity

        #expect(identity.email == .init("b@example.com", isVerified: false))
    }

    @Test(arguments: [403, 404, 500])
    func `a later page that fails fails the sign-in`(status: Int) async throws {
        await #expect(throws: ProviderError.self) {
            try await Self.requests(
                of: ScriptedDialects.withAList,
                answering: [ScriptedEndpoint(.get, ScriptedDialects.server + "/emails/2", .status(status))])
        }
    }

    @Test(arguments: [
        "https://elsewhere.example/emails", "http://id.example/emails/2", ScriptedDialects.server + "/emails",
    ])
    func `a next page elsewhere, or one that was read, is not requested`(next: String) async throws {
        let upstream = ScriptedUpstream(
            [
                ScriptedEndpoint(
                    .get, ScriptedDialects.server + "/emails", .json(["values": [], "next": .string(next)]))
            ] + ScriptedDialects.withAList.endpoints)
        let provider = try ScriptedDialects.withAList.provider(over: upstream)

        await #expect(throws: ProviderError.self) { try await provider.verify(ScriptedDialects.credential) }
        #expect(upstream.requests.last?.url == ScriptedDialects.server + "/emails")
        #expect(upstream.requests.count { $0.url.hasSuffix("/emails") } == 1)
    }

    @Test(arguments: [(403, true), (404, true), (401, false), (429, false), (500, false)])
    func `a list that the user refused leaves the address out, a failure does not`(status: Int, signsIn: Bool)
        async throws
    {
        let result = await Result {
            try await Self.requests(
                of: ScriptedDialects.withAList,
                answering: [ScriptedEndpoint(.get, ScriptedDialects.server + "/emails", .status(status))]
            ).identity
        }
        let identity = try? result.get()
        #expect((identity != nil) == signsIn && identity?.email == nil)
    }

    @Test(arguments: [
        ("true", "{}", true), ("false", #"{"v":true}"#, false), (#"{"pointer":"/v","equals":1}"#, #"{"v":1}"#, true),
        (#"{"pointer":"/v","equals":1}"#, #"{"v":1.0}"#, false),
        (#"{"pointer":"/v","equals":1}"#, #"{"v":"1"}"#, false),
        (#"{"pointer":"/v","equals":1}"#, #"{"v":true}"#, false),
        (#"{"pointer":"/v","equals":"on"}"#, #"{"v":"On"}"#, false),
        (#"{"pointer":"/v","equals":"on"}"#, "{}", false), (#"{"in":"token","pointer":"/v"}"#, #"{"v":true}"#, false),
    ])
    func `an address is verified by exactly what the entry names`(rule: String, profile: String, isVerified: Bool)
        async throws
    {
        var claims = try #require(try JSONValue(parsing: profile).object)
        (claims["id"], claims["email"]) = ("1", "a@example.com")
        let identity = try await OAuth2SignInTests.identity(
            JSONValue.object(claims).serialized(),
            claims: #"{"subject":"/id","email":"/email","emailVerified":\#(rule)}"#)
        #expect(identity.email == .init("a@example.com", isVerified: isVerified))
    }
}

extension ProviderFixture {
    /// The endpoints of its provider.
    fileprivate var endpoints: [ScriptedEndpoint] { script().endpoints }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
