import BrokerAuthMiddleware
import JOSE
import StrictJSON
import Testing

@Suite("The broker's keys", .timeLimit(.minutes(20)))
struct KeyTests {
    private static func concurrently<Value: Sendable>(
        _ count: Int, _ work: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for number in 0..<count { group.addTask { try await work(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Sends a new access token.
    private static func expect(
        _ status: Int, from backend: TestBackend, at location: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await backend.get("/", try backend.issuer.accessToken())
        #expect(answer.status == status, "\(answer)", sourceLocation: location)
    }

    @Test func `nothing is read before the first token, and then once for everyone`() async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            #expect(issuer.hits(TestIssuer.discovery) == 0)

            let statuses = try await Self.concurrently(40) { number in
                try await backend.get("/", try issuer.accessToken(["jti": .integer(Int64(number))])).status
            }

            #expect(statuses.allSatisfy { $0 == 200 })
            #expect(issuer.hits(TestIssuer.discovery) == 1 && issuer.hits(TestIssuer.keys) == 1)
            #expect(issuer.hits(TestIssuer.projectKeys) == 0)
        }
    }

    @Test func `a new key is fetched when a token names it`() async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            let old = try issuer.accessToken()
            #expect(try await backend.get("/", old).status == 200)
            try issuer.rotate(to: "oauth-2")
            issuer.clock.advance(31)

            try await Self.expect(200, from: backend)
            #expect(issuer.hits(TestIssuer.keys) == 2)
            #expect(try await backend.get("/", old).error == "invalid_token", "its key is published no more")
        }
    }

    @Test func `a flood of unknown key ids causes one fetch in each interval`() async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            try await Self.expect(200, from: backend)
            let stranger = try PrivateSigningKey.generate(.es256)
            let flood = {
                try await Self.concurrently(50) { number in
                    let signer = try TokenSigner(keyID: "unknown-\(number)", key: stranger)
                    return try await backend.get("/", try issuer.accessToken(by: signer)).error
                }
            }

            #expect(try await flood().allSatisfy { $0 == "invalid_token" })
            #expect(issuer.hits(TestIssuer.keys) == 1)
            issuer.clock.advance(31)
            #expect(try await flood().allSatisfy { $0 == "invalid_token" })
            #expect(issuer.hits(TestIssuer.keys) == 2)
        }
    }

    @Test func `old keys are fetched again, and unchanged ones are not sent`() async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            try await Self.expect(200, from: backend)
            issuer.clock.advance(3599)
            try await Self.expect(200, from: backend)
            #expect(issuer.hits(TestIssuer.keys) == 1)
            issuer.clock.advance(1)

            try await Self.expect(200, from: backend)
            #expect(issuer.hits(TestIssuer.keys) == 2 && issuer.unchanged == 2)
            try await Self.expect(200, from: backend)
            #expect(issuer.hits(TestIssuer.keys) == 2)
        }
    }

    @Test(arguments: [("no-store", 60.0), ("max-age=5", 60), ("max-age=120", 120), ("max-age=999999", 3600)])
    func `the lifetime is the broker's within bounds`(cacheControl: String, lifetime: Double) async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            issuer.setCacheControl(cacheControl)
            try await Self.expect(200, from: backend)
            issuer.clock.advance(lifetime - 1)
            try await Self.expect(200, from: backend)
            #expect(issuer.hits(TestIssuer.keys) == 1)
            issuer.clock.advance(1)
            try await Self.expect(200, from: backend)
            #expect(issuer.hits(TestIssuer.keys) == 2)
        }
    }

    @Test func `without any keys a request is told when to come back, and the broker is left alone`() async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            issuer.goDown()
            let first = try await backend.get("/", try issuer.accessToken())
            let second = try await backend.get("/", try issuer.accessToken())

            #expect(first.status == 503 && first.header("Retry-After") == "5", "\(first)")
            #expect(second.status == 503 && first.challenge == nil)
            #expect(issuer.hits(TestIssuer.discovery) == 1)
            issuer.goDown(false)
            issuer.clock.advance(5)
            try await Self.expect(200, from: backend)
        }
    }

    @Test(arguments: [TestIssuer.discovery, TestIssuer.keys])
    func `a document that never ends holds up no later fetch`(path: String) async throws {
        try await TestBackend.run({ $0.options.requestTimeout = .seconds(2) }) { backend in
            let issuer = backend.issuer
            issuer.override(path, .init(body: #"{"issuer":"#, stalls: true))
            try await Self.expect(503, from: backend)
            issuer.override(path, nil)
            issuer.clock.advance(5)

            try await Self.expect(200, from: backend)
        }
    }

    @Test func `keys stay usable while the broker is out of reach, up to the bound`() async throws {
        try await TestBackend.run({ $0.options.maximumOutage = .seconds(7200) }) { backend in
            let issuer = backend.issuer
            try await Self.expect(200, from: backend)
            issuer.goDown()
            issuer.clock.advance(7199)
            for _ in 0..<5 { try await Self.expect(200, from: backend) }
            #expect(issuer.hits(TestIssuer.discovery) == 2, "one attempt, not one a request")
            #expect(backend.log.text.contains("fetch of the broker's keys failed"))
            issuer.clock.advance(1)

            try await Self.expect(503, from: backend)
        }
    }

    @Test(arguments: [true, false])
    func `a verified token is refused once its key is withdrawn`(remembers: Bool) async throws {
        try await TestBackend.run({ $0.options.verifiedTokens = remembers ? 2 : 0 }) { backend in
            let issuer = backend.issuer
            let token = try issuer.accessToken(["exp": .integer(issuer.clock.seconds + 7200)])
            for _ in 0..<2 { #expect(try await backend.get("/", token).status == 200) }
            try issuer.rotate(to: "oauth-2")
            issuer.clock.advance(3600)

            #expect(try await backend.get("/", token).error == "invalid_token")
        }
    }

    @Test func `a change of the token setting is followed`() async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            let strict = try issuer.idToken()
            #expect(try await backend.get("/", strict).status == 200)
            try issuer.becomeFirebase()
            issuer.clock.advance(31)

            #expect(try await backend.get("/", try issuer.idToken()).status == 200)
            #expect(try await backend.get("/", strict).error == "invalid_token")
        }
    }

    @Test func `documents that lead elsewhere, are too long or are no keys are not used`() async throws {
        let bad: [(String, TestIssuer.Override)] = [
            (TestIssuer.discovery, .init(body: #"{"issuer":"https://elsewhere.example","jwks_uri":"x"}"#)),
            (TestIssuer.discovery, .init(status: 302, headers: ["Location": "/my-app/.well-known/jwks.json"])),
            (TestIssuer.discovery, .init(body: "<html>")),
            (TestIssuer.keys, .init(body: #"{"keys":[]}"#)),
            (TestIssuer.keys, .init(status: 404)),
            (TestIssuer.keys, .init(body: #"{"keys":[],"x":""# + String(repeating: "a", count: 300_000) + #""}"#)),
        ]
        for (path, answer) in bad {
            try await TestBackend.run { backend in
                backend.issuer.override(path, answer)
                try await Self.expect(503, from: backend)
            }
        }
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            issuer.override(
                TestIssuer.discovery,
                .init(body: #"{"issuer":"\#(issuer.url)","jwks_uri":"https://elsewhere.example/oauth/jwks"}"#))
            try await Self.expect(503, from: backend)
        }
    }
}
