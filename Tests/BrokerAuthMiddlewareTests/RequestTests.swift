import BrokerAuthMiddleware
import StrictJSON
import Testing

@Suite("Requests to a protected backend", .timeLimit(.minutes(20)))
struct RequestTests {
    @Test func `a request without a token is told to send one, and nothing else`() async throws {
        try await TestBackend.run { backend in
            for headers in [[], [("Authorization", "Basic YTpi")], [("Authorization", "Bearerx y")]] {
                let answer = try await backend.get(headers: headers)
                #expect(answer.status == 401 && answer.challenge == #"Bearer realm="api""#, "\(answer)")
                #expect(answer.header("Cache-Control") == "no-store")
            }
        }
    }

    @Test func `a token in the URL is not read`() async throws {
        try await TestBackend.run { backend in
            let answer = try await backend.get("/?access_token=\(try backend.issuer.accessToken())")

            #expect(answer.status == 401 && answer.error == nil)
        }
    }

    @Test func `several tokens, or an empty one, are an invalid request`() async throws {
        try await TestBackend.run { backend in
            let token = try backend.issuer.accessToken()
            let cookie = "session=\(try backend.issuer.sessionCookie())"
            for headers in [
                [("Authorization", "Bearer \(token)"), ("Authorization", "Bearer \(token)")],
                [("Authorization", "Basic YTpi"), ("Authorization", "Bearer \(token)")],
                [("Authorization", "Bearer \(token), Bearer \(token)")], [("Authorization", "Bearer")],
                [("Authorization", "Bearer \(token) x")], [("Cookie", "\(cookie); \(cookie)")],
                [("Cookie", cookie), ("Cookie", "session=x")],
            ] {
                let answer = try await backend.get(headers: headers)
                #expect(answer.status == 400 && answer.error == "invalid_request", "\(answer)")
            }
            #expect(try await backend.get(headers: [("authorization", "bearer \(token)")]).status == 200)
        }
    }

    @Test func `a cookie's name is compared byte by byte`() async throws {
        try await TestBackend.run { backend in
            let cookie = try backend.issuer.sessionCookie()
            for text in [
                "a=x\u{37E}session=\(cookie)", "Session=\(cookie)", "xsession=\(cookie)", "session=", "session",
            ] {
                #expect(
                    try await backend.get(headers: [("Cookie", text)]).challenge == #"Bearer realm="api""#, "\(text)")
            }
        }
    }

    @Test func `an optional route answers anonymous requests, and refuses a bad token in the header`() async throws {
        try await TestBackend.run({ $0.mode = .optional }) { backend in
            let bad = String(try backend.issuer.accessToken().dropLast(4)) + "AAAA"

            #expect(try await backend.get().text == "anonymous")
            #expect(try await backend.get(cookie: bad).text == "anonymous")
            #expect(try await backend.get(cookie: "x").text == "anonymous")
            #expect(try await backend.get("/", bad).error == "invalid_token")
            #expect(try await backend.get("/", try backend.issuer.accessToken()).body["user"] == "ada")
            #expect(try await backend.get("/read").challenge == #"Bearer realm="api""#)
            #expect(try await backend.get("/required/scope").status == 401)
        }
    }

    @Test(arguments: ["/write", "/required/scope"])
    func `a missing scope is forbidden and named`(path: String) async throws {
        try await TestBackend.run { backend in
            for token in [try backend.issuer.accessToken(), try backend.issuer.idToken()] {
                let answer = try await backend.get(path, token)
                #expect(answer.status == 403 && answer.error == "insufficient_scope", "\(answer)")
                #expect(answer.challenge?.contains("write\"") == true)
            }
            let token = try backend.issuer.accessToken(["scope": "openid write"])
            #expect(try await backend.get(path, token).status == 200)
            #expect(try await backend.get("/read", try backend.issuer.accessToken()).status == 200)
        }
    }

    @Test(arguments: ["/recent", "/required/login"])
    func `an old login is refused with the age that is required`(path: String) async throws {
        try await TestBackend.run { backend in
            let now = backend.issuer.clock.seconds
            let recent = try backend.issuer.accessToken(["auth_time": .integer(now - 300)])
            let answer = try await backend.get(path, try backend.issuer.accessToken(["auth_time": .integer(now - 301)]))

            #expect(try await backend.get(path, recent).status == 200)
            #expect(answer.status == 401 && answer.error == "insufficient_user_authentication", "\(answer)")
            #expect(answer.challenge?.contains(#"max_age="300""#) == true)
        }
    }

    @Test func `no token is in a log, a description or an answer`() async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            let good = try issuer.accessToken()
            let bad = String(good.dropLast(4)) + "AAAA"
            let dump = try await backend.get("/dump", good)
            #expect(try await backend.get("/", bad).status == 401)
            _ = try await backend.get("/active", good)
            issuer.goDown()
            issuer.clock.advance(4000)
            _ = try await backend.get("/", good)

            #expect(dump.status == 200 && dump.text.contains("session-1"))
            for secret in good.split(separator: ".") {
                #expect(!dump.text.contains(secret) && !backend.log.text.contains(secret))
            }
            #expect(backend.log.text.contains("request refused"))
        }
    }
}
