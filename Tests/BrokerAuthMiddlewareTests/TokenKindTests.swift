import BrokerAuthMiddleware
import StrictJSON
import Testing

@Suite("The kinds of tokens", .timeLimit(.minutes(20)))
struct TokenKindTests {
    @Test func `an access token names user, client, scopes, session and login`() async throws {
        try await TestBackend.run { backend in
            let answer = try await backend.get("/", try backend.issuer.accessToken())

            #expect(answer.status == 200, "\(answer)")
            #expect(answer.body["user"] == "ada" && answer.body["kind"] == "accessToken")
            #expect(answer.body["client"]?.string == TestIssuer.client && answer.body["scopes"] == "openid profile")
            #expect(answer.body["sid"] == "session-1" && answer.body["lifetime"] == 3600)
            #expect(answer.body["authTime"]?.integer == backend.issuer.clock.seconds - 100)
        }
    }

    @Test(arguments: [true, false])
    func `ID tokens of Identity Toolkit and session cookies are accepted in both settings`(
        isStrict: Bool
    ) async throws {
        try await TestBackend.run({ $0.isStrict = isStrict }) { backend in
            let idToken = try await backend.get("/", try backend.issuer.idToken())
            let cookie = try await backend.get(cookie: try backend.issuer.sessionCookie())

            #expect(idToken.status == 200 && cookie.status == 200, "\(idToken) \(cookie)")
            #expect(idToken.body["kind"] == "identityToolkitIDToken" && cookie.body["kind"] == "sessionCookie")
            for answer in [idToken, cookie] {
                #expect(answer.body["user"] == "ada" && answer.body["sid"] == "session-1")
                #expect(
                    answer.body["client"] == .null && answer.body["scopes"] == "" && answer.body["role"] == "editor")
            }
        }
    }

    @Test func `custom claims of Identity Toolkit named like a standard's give no scope, client or session`()
        async throws
    {
        try await TestBackend.run { backend in
            let claims: JSONObject = [
                "scope": "openid profile", "scp": ["profile"], "client_id": .string(TestIssuer.client),
                "sid": "session-2",
            ]
            let idToken = try backend.issuer.idToken(claims)
            let answers = [
                try await backend.get("/", idToken),
                try await backend.get(cookie: try backend.issuer.sessionCookie(claims)),
            ]

            for answer in answers {
                #expect(answer.status == 200 && answer.body["user"] == "ada", "\(answer)")
                #expect(answer.body["scopes"] == "" && answer.body["client"] == .null, "\(answer)")
                #expect(answer.body["sid"] == "session-1")
            }
            let identity = try await backend.tokens.identity(bearer: idToken)
            #expect(throws: BrokerAuthRefusal.self) { try identity.requireScopes(["profile"]) }
            #expect(identity.sessionID == "session-1" && identity.clientID == nil)
        }
    }

    @Test func `a session is read from the claim broker alone, and one that is missing is refused`() async throws {
        try await TestBackend.run { backend in
            let token = try backend.issuer.idToken(["broker": .null, "sid": "session-1", "epoch": 0])

            #expect(try await backend.get("/", token).error == "invalid_token")
        }
    }

    @Test func `an ID token of OpenID Connect is refused with the advice to send the access token`() async throws {
        try await TestBackend.run { backend in
            let answer = try await backend.get("/", try backend.issuer.clientIDToken())

            #expect(answer.status == 401 && answer.error == "invalid_token", "\(answer)")
            #expect(answer.challenge?.contains("Send the access token") == true)
        }
    }

    @Test func `only the accepted kinds are accepted`() async throws {
        try await TestBackend.run({ $0.accepting = [.identityToolkitIDToken] }) { backend in
            let accessToken = try await backend.get("/", try backend.issuer.accessToken())
            let cookie = try await backend.get(cookie: try backend.issuer.sessionCookie())

            #expect(try await backend.get("/", try backend.issuer.idToken()).status == 200)
            #expect(accessToken.status == 401 && accessToken.error == "invalid_token")
            #expect(cookie.status == 401 && cookie.error == nil, "a cookie that is not read is no token")
        }
    }

    @Test func `a session cookie is no bearer token, and a bearer token no session cookie`() async throws {
        try await TestBackend.run { backend in
            let cookie = try backend.issuer.sessionCookie()
            let tokens = [try backend.issuer.idToken(), try backend.issuer.accessToken()]
            let clientIDToken = try backend.issuer.clientIDToken()
            // Each where it belongs, so that it is among the verified tokens, and each twice where it does not.
            for _ in 1...2 {
                #expect(try await backend.get(cookie: cookie).status == 200)
                for token in tokens { #expect(try await backend.get("/", token).status == 200) }

                for token in [cookie, clientIDToken] {
                    #expect(try await backend.get("/", token).error == "invalid_token")
                }
                for token in tokens + [clientIDToken] {
                    #expect(try await backend.get(cookie: token).error == "invalid_token")
                }
            }
        }
    }

    @Test func `the header goes before the cookie`() async throws {
        try await TestBackend.run { backend in
            let answer = try await backend.get(
                headers: [
                    ("Authorization", "Bearer \(try backend.issuer.idToken(["sub": "grace"]))"),
                    ("Cookie", "session=\(try backend.issuer.sessionCookie())"),
                ])

            #expect(answer.body["user"] == "grace", "\(answer)")
        }
    }

    @Test func `a token that has not come over HTTP is verified by the same rules`() async throws {
        try await TestBackend.run { backend in
            let identity = try await backend.tokens.identity(bearer: try backend.issuer.accessToken())

            #expect(identity.userID == "ada")
            await #expect(throws: BrokerAuthRefusal.self) {
                try await backend.tokens.identity(bearer: try backend.issuer.clientIDToken())
            }
        }
    }
}
