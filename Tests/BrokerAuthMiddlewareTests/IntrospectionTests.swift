import BrokerAuthMiddleware
import Foundation
import JOSE
import StrictJSON
import Testing

@Suite("Introspection on demand", .timeLimit(.minutes(20)))
struct IntrospectionTests {
    private static let path = "/oauth/introspect"
    private static let exchange = "/oauth/service-accounts/token"
    private static let active = #"{"active":true,"sub":"ada","sid":"session-1"}"#
    private static let key = Result { try PrivateSigningKey.generate(.rs256) }

    /// A backend with the key file of a service account.
    private static func withServiceAccount(
        _ change: (inout BrokerTokens.Options) -> Void = { _ in }, _ body: (TestBackend) async throws -> Void
    ) async throws {
        try await TestIssuer.run { issuer in
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let document: JSONValue = [
                "client_email": "calendar@my-app.iam.example", "private_key_id": "k1",
                "private_key": .string(try key.get().pkcs8PEM), "token_uri": .string(issuer.url + exchange),
            ]
            let file = folder.appending(path: "key.json")
            try Data(document.serialized().utf8).write(to: file)
            var settings = TestBackend.Settings()
            change(&settings.options)
            settings.credential = try .serviceAccount(keyFile: file)
            try await TestBackend.run(at: issuer, settings, body)
        }
    }

    private static func authorize(_ issuer: TestIssuer, _ token: String) {
        issuer.override(exchange, .init(body: #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":3600}"#))
    }

    @Test(arguments: ["/active", "/required/active"])
    func `only a route that checks asks the broker, and refuses a session that has ended`(path: String) async throws {
        try await TestBackend.run({ $0.credential = .adminToken("bat1_x") }) { backend in
            let issuer = backend.issuer
            issuer.override(Self.path, .init(body: Self.active))
            let token = try issuer.accessToken()
            #expect(try await backend.get("/", token).status == 200)
            #expect(issuer.calls.isEmpty)

            #expect(try await backend.get(path, token).status == 200)
            issuer.override(Self.path, .init(body: #"{"active":false}"#))
            let ended = try await backend.get(path, token)

            #expect(ended.status == 401 && ended.error == "invalid_token", "\(ended)")
            #expect(issuer.calls.map(\.authorization) == ["Bearer bat1_x", "Bearer bat1_x"])
            #expect(issuer.calls.map(\.form) == ["token=\(token)", "token=\(token)"])
            #expect(try await backend.get("/", token).status == 200)
        }
    }

    @Test func `an answer about another user or session is no approval`() async throws {
        try await TestBackend.run({ $0.credential = .adminToken("bat1_x") }) { backend in
            for answer in [
                #"{"active":true}"#, #"{"active":true,"sub":"grace","sid":"session-1"}"#,
                #"{"active":true,"sub":"ada","sid":"session-2"}"#, #"{"active":"true","sub":"ada","sid":"session-1"}"#,
            ] {
                backend.issuer.override(Self.path, .init(body: answer))
                let refusal = try await backend.get("/active", try backend.issuer.accessToken())
                #expect(refusal.status == 401, "\(answer): \(refusal)")
            }
        }
    }

    @Test func `a client authenticates with its secret and asks about access tokens only`() async throws {
        try await TestBackend.run({ $0.credential = .client(id: "client-1", secret: "a:b ü") }) { backend in
            backend.issuer.override(Self.path, .init(body: Self.active))

            let accessToken = try await backend.get("/active", try backend.issuer.accessToken())
            let idToken = try await backend.get("/active", try backend.issuer.idToken())

            #expect(accessToken.status == 200 && idToken.status == 500, "\(accessToken) \(idToken)")
            let basic = Data("client-1:a%3Ab%20%C3%BC".utf8).base64EncodedString()
            #expect(backend.issuer.calls.map(\.authorization) == ["Basic " + basic])
        }
    }

    @Test func `about another client's access token a client's credential is no judgement`() async throws {
        try await TestBackend.run({
            $0.clientIDs = [TestIssuer.client, "client-2"]
            $0.credential = .client(id: TestIssuer.client, secret: "s")
        }) { backend in
            backend.issuer.override(Self.path, .init(body: #"{"active":false}"#))
            let token = try backend.issuer.accessToken(["aud": "client-2", "client_id": "client-2"])

            let answer = try await backend.get("/active", token)

            #expect(answer.status == 500 && answer.error == "server_error", "\(answer)")
            #expect(backend.issuer.calls.isEmpty && backend.log.text.contains("its own access tokens only"))
        }
    }

    @Test func `an answer that never ends makes the route unavailable, and the next is waited for anew`() async throws {
        try await TestBackend.run({
            $0.credential = .adminToken("bat1_x")
            $0.options.requestTimeout = .seconds(2)
        }) { backend in
            let token = try backend.issuer.accessToken()
            backend.issuer.override(Self.path, .init(body: Self.active, stalls: true))
            let stalled = try await backend.get("/active", token)
            backend.issuer.override(Self.path, .init(body: Self.active))

            #expect(stalled.status == 503, "\(stalled)")
            #expect(try await backend.get("/active", token).status == 200)
        }
    }

    @Test func `a service account's exchange that never ends holds up no later one`() async throws {
        try await Self.withServiceAccount({ $0.requestTimeout = .seconds(2) }) { backend in
            let issuer = backend.issuer
            let token = try issuer.accessToken()
            issuer.override(Self.path, .init(body: Self.active))
            issuer.override(Self.exchange, .init(body: #"{"access_token":"sat1_one""#, stalls: true))
            let stalled = try await backend.get("/active", token)
            Self.authorize(issuer, "sat1_one")

            #expect(stalled.status == 503, "\(stalled)")
            #expect(try await backend.get("/active", token).status == 200)
        }
    }

    @Test func `without a credential the route fails and the log says why`() async throws {
        try await TestBackend.run { backend in
            let answer = try await backend.get("/required/active", try backend.issuer.accessToken())

            #expect(answer.status == 500 && answer.error == "server_error" && !answer.text.contains("credential"))
            #expect(backend.log.text.contains("no credential for introspection"))
        }
    }

    @Test func `a broker that gives no answer makes the route unavailable`() async throws {
        try await TestBackend.run({ $0.credential = .adminToken("bat1_x") }) { backend in
            let token = try backend.issuer.accessToken()
            #expect(try await backend.get("/", token).status == 200)
            let failures: [(TestIssuer.Override, String)] = [
                (.init(status: 503, headers: ["Retry-After": "17"]), "17"), (.init(status: 401), "5"),
                (.init(status: 429, headers: ["Retry-After": "9999"]), "300"), (.init(body: "<html>"), "5"),
            ]
            for (override, retryAfter) in failures {
                backend.issuer.override(Self.path, override)
                let answer = try await backend.get("/active", token)
                #expect(answer.status == 503 && answer.header("Retry-After") == retryAfter, "\(answer)")
            }
            #expect(backend.log.text.contains("introspection failed"))
        }
    }

    @Test func `a service account obtains one access token for all requests, and the next in time`() async throws {
        try await Self.withServiceAccount { backend in
            let issuer = backend.issuer
            issuer.override(Self.path, .init(body: Self.active))
            Self.authorize(issuer, "sat1_one")
            let token = try issuer.accessToken(["exp": .integer(issuer.clock.seconds + 7200)])
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await backend.get("/active", token).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(statuses == Array(repeating: 200, count: 20))
            #expect(issuer.hits(Self.exchange) == 1)
            Self.authorize(issuer, "sat1_two")
            issuer.clock.advance(3541)
            #expect(try await backend.get("/active", token).status == 200)
            #expect(issuer.hits(Self.exchange) == 2 && issuer.calls.last?.authorization == "Bearer sat1_two")
        }
    }

    @Test func `the assertion is signed by the account for the token endpoint, single-use and with the least scope`()
        async throws
    {
        try await Self.withServiceAccount { backend in
            let issuer = backend.issuer
            issuer.override(Self.path, .init(body: Self.active))
            Self.authorize(issuer, "sat1_one")
            #expect(try await backend.get("/active", try issuer.accessToken()).status == 200)

            issuer.clock.advance(3541)
            #expect(try await backend.get("/active", try issuer.accessToken()).status == 200)

            let assertions = try issuer.calls.filter { $0.path == Self.exchange }.map { call in
                try CompactJWS(parsing: try #require(call.form.split(separator: "assertion=").last))
            }
            let ids = try assertions.map { try $0.unverifiedClaims()["jti"]?.string ?? "" }
            #expect(ids.count == 2 && ids[0] != ids[1] && ids.allSatisfy { $0.utf8.count >= 22 }, "\(ids)")
            let parsed = try #require(assertions.last)
            let claims = try parsed.verified(with: Self.key.get().publicKey)
            #expect(parsed.header.keyID == "k1" && claims["iss"] == "calendar@my-app.iam.example")
            #expect(claims["aud"]?.string == issuer.url + Self.exchange && claims["scope"] == "tokens:introspect")
            #expect(claims["exp"]?.integer == issuer.clock.seconds + 3600)
        }
    }

    @Test func `an access token that the broker no longer takes is replaced once`() async throws {
        try await Self.withServiceAccount { backend in
            let issuer = backend.issuer
            issuer.override(Self.path, .init(status: 401))
            Self.authorize(issuer, "sat1_one")

            let answer = try await backend.get("/active", try issuer.accessToken())

            #expect(answer.status == 503, "\(answer)")
            #expect(issuer.hits(Self.exchange) == 2 && issuer.hits(Self.path) == 2)
        }
    }
}
