import BrokerAuthMiddleware
import Foundation
import JOSE
import StrictJSON
import Testing

@Suite("Refused tokens", .timeLimit(.minutes(20)))
struct TokenRefusalTests {
    /// Claims that no accepted token has.
    private static let badClaims: [(String, JSONValue)] = [
        ("iss", "https://elsewhere.example"), ("iss", .null), ("aud", "client-2"), ("aud", []), ("aud", .null),
        ("aud", ["client-1", "client-2"]), ("aud", ["my-app", "client-1"]), ("sub", ""), ("sub", .null), ("sub", 1),
        ("exp", 1_799_999_000), ("exp", .null), ("exp", "soon"), ("iat", 1_800_000_100), ("iat", .null),
        ("nbf", 1_800_000_100), ("auth_time", .null), ("auth_time", "yesterday"),
    ]

    @Test(arguments: badClaims.indices)
    func `a claim that is missing or wrong is refused in every kind`(index: Int) async throws {
        let (name, value) = Self.badClaims[index]
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            for answer in [
                try await backend.get("/", try issuer.accessToken([name: value])),
                try await backend.get("/", try issuer.idToken([name: value])),
                try await backend.get(cookie: try issuer.sessionCookie([name: value])),
            ] {
                #expect(answer.status == 401 && answer.error == "invalid_token", "\(name) \(value): \(answer)")
                #expect(answer.challenge?.hasPrefix(#"Bearer realm="api", error="invalid_token""#) == true)
            }
        }
    }

    @Test func `an access token needs its client and its session`() async throws {
        try await TestBackend.run { backend in
            for changes: JSONObject in [["client_id": "client-2"], ["client_id": .null], ["sid": .null]] {
                let answer = try await backend.get("/", try backend.issuer.accessToken(changes))
                #expect(answer.error == "invalid_token", "\(answer)")
            }
            let idToken = try await backend.get("/", try backend.issuer.idToken(["broker": .null]))
            #expect(idToken.error == "invalid_token", "\(idToken)")
        }
    }

    @Test func `the type of another kind is refused`() async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            for token in [
                try issuer.accessToken(type: "JWT"), try issuer.accessToken(type: "AT+JWT"),
                try issuer.idToken(type: "at+jwt"), try issuer.idToken(type: "logout+jwt"),
                try issuer.accessToken(["iss": .string(issuer.toolkitIssuer), "aud": "my-app"], type: "JWT"),
                try issuer.idToken(["iss": .string(issuer.url), "aud": "client-1"], type: "at+jwt"),
            ] {
                #expect(try await backend.get("/", token).error == "invalid_token")
            }
        }
    }

    @Test func `the issuer of the other setting is refused`() async throws {
        try await TestBackend.run { backend in
            let changes: JSONObject = ["iss": .string("https://securetoken.google.com/\(TestIssuer.project)")]

            let answer = try await backend.get("/", try backend.issuer.idToken(changes))
            #expect(answer.error == "invalid_token", "\(answer)")
        }
    }

    @Test func `keys of one family sign nothing of the other`() async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer

            for token in [try issuer.idToken(by: issuer.oauth), try issuer.accessToken(by: issuer.toolkit)] {
                #expect(try await backend.get("/", token).error == "invalid_token")
            }
        }
    }

    @Test func `another algorithm than that of the key is refused`() async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            let signer = try issuer.oauth
            let claims = String(
                decoding: try #require(Base64URL.decode(try issuer.accessToken().split(separator: ".")[1].utf8)),
                as: UTF8.self)
            let base: JSONObject = ["typ": "at+jwt", "kid": .string(signer.keyID)]
            for algorithm in ["none", "None", "HS256", "RS256", "ES384", ""] {
                var header = base
                header["alg"] = .string(algorithm)
                let token = try signed(header, claims, signer.key)
                let unsigned = token.split(separator: ".").prefix(2).joined(separator: ".") + "."
                #expect(try await backend.get("/", token).error == "invalid_token", "\(algorithm)")
                #expect(try await backend.get("/", unsigned).error == "invalid_token", "\(algorithm) unsigned")
            }
            // The same token with its own algorithm is good, so each refusal above is for the algorithm.
            var header = base
            header["alg"] = "ES256"
            #expect(try await backend.get("/", try signed(header, claims, signer.key)).status == 200)
            for member in ["crit", "jwk", "jku", "x5c", "x5u", "b64"] {
                var extended = header
                extended[member] = ["exp"]
                #expect(try await backend.get("/", try signed(extended, claims, signer.key)).error == "invalid_token")
            }
            header["kid"] = nil
            #expect(try await backend.get("/", try signed(header, claims, signer.key)).error == "invalid_token")
        }
    }

    @Test func `in the firebase setting ES256 is refused for ID tokens`() async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            // Both keys are published: that of the strict setting still is.
            let es256 = try issuer.toolkit
            try issuer.becomeFirebase()

            #expect(try await backend.get("/", try issuer.idToken()).status == 200)
            #expect(try await backend.get("/", try issuer.idToken(by: es256)).error == "invalid_token")
        }
    }

    @Test func `a signature by another key, a changed payload and broken texts are refused`() async throws {
        try await TestBackend.run { backend in
            let issuer = backend.issuer
            let good = try issuer.accessToken()
            let parts = good.split(separator: ".")
            let stranger = try TokenSigner(keyID: issuer.oauth.keyID, key: .generate(.es256))
            let other = try issuer.accessToken(["sub": "grace"]).split(separator: ".")
            for token in [
                try issuer.accessToken(by: stranger), "\(parts[0]).\(other[1]).\(parts[2])", good + ".x", good + ".",
                "\(parts[0]).\(parts[1])", "x", "..", String(good.dropLast(2)), String(repeating: "a", count: 20_000),
            ] {
                let answer = try await backend.get("/", token)
                #expect([401, 431].contains(answer.status), "\(answer)")
            }
            #expect(try await backend.get("/", good).status == 200)
        }
    }

    @Test func `time is judged on each use, with half a minute for the clocks`() async throws {
        try await TestBackend.run { backend in
            let clock = backend.issuer.clock
            let token = try backend.issuer.accessToken(["iat": .integer(clock.seconds + 30)])

            #expect(try await backend.get("/", token).status == 200)
            clock.advance(3629)
            #expect(try await backend.get("/", token).status == 200)
            clock.advance(1)
            let expired = try await backend.get("/", token)
            #expect(expired.error == "invalid_token" && expired.text.contains("has expired"), "\(expired)")
        }
    }
}
