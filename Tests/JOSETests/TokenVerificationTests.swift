import Crypto
import Foundation
import JOSE
import ProviderKit
import Testing

@Suite("Token verification")
struct TokenVerificationTests {
    let fixture: TokenFixture
    let payload = Array(TokenFixture.claims.serialized().utf8)

    init() throws {
        fixture = try TokenFixture()
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a token of our own comes back as its claims`(algorithm: SignatureAlgorithm) throws {
        let token = try fixture.signer(algorithm).token(claims: TokenFixture.claims)
        let parsed = try CompactJWS(parsing: token)

        #expect(try parsed.verified(with: fixture.keys, algorithms: [algorithm]) == .object(TokenFixture.claims))
        #expect(parsed.header.algorithm == algorithm.rawValue)
        #expect(parsed.header.type == "JWT")
    }

    @Test func `a token may be of another type`() throws {
        let token = try fixture.es256.token(claims: TokenFixture.claims, type: "at+jwt")

        #expect(try CompactJWS(parsing: token).header.type == "at+jwt")
        #expect(fixture.refusal(of: token) == nil)
    }

    @Test func `a token without kid is accepted where kid is optional and the issuer has a single key`() throws {
        let payload = Array(TokenFixture.claims.serialized().utf8)
        let token = try CompactJWS(
            parsing: TokenFixture.token(header: #"{"alg":"ES256"}"#, payload: payload, signedWith: fixture.es256.key))
        let own = try KeySet([fixture.es256.key.publicKey.jwk(keyID: "own")])
        let foreign = try KeySet([PrivateSigningKey.generate(.es256).publicKey.jwk(keyID: "own")])

        #expect(
            try token.verified(with: own, algorithms: [.es256], requiresKeyID: false) == .object(TokenFixture.claims))
        for (keys, algorithms, requires) in [
            (own, Set([SignatureAlgorithm.es256]), true), (fixture.keys, [.es256], false), (own, [.rs256], false),
            (foreign, [.es256], false), (try KeySet([]), [.es256], false),
        ] {
            #expect(throws: JOSEError.self) {
                try token.verified(with: keys, algorithms: algorithms, requiresKeyID: requires)
            }
        }
    }

    static let headers: [(String, JOSEError.Kind)] = [
        (#"{"alg":"none","kid":"elliptic"}"#, .algorithmNotAllowed),
        (#"{"alg":"None","kid":"elliptic"}"#, .algorithmNotAllowed),
        (#"{"alg":"HS256","kid":"elliptic"}"#, .algorithmNotAllowed),
        (#"{"alg":"es256","kid":"elliptic"}"#, .algorithmNotAllowed),
        (#"{"alg":"ES384","kid":"elliptic"}"#, .algorithmNotAllowed),
        (#"{"alg":"RS256","kid":"elliptic"}"#, .algorithmNotAllowed),
        (#"{"alg":"ES256","kid":"rsa"}"#, .algorithmNotAllowed),
        (#"{"alg":"ES256","kid":"unknown"}"#, .unknownKey), (#"{"alg":"ES256"}"#, .unknownKey),
        (#"{"alg":"ES256","kid":""}"#, .malformedToken), (#"{"alg":"ES256","kid":null}"#, .malformedToken),
        (#"{"alg":"ES256","kid":["elliptic"]}"#, .malformedToken),
        (#"{"alg":"ES256","kid":"\u0435lliptic"}"#, .malformedToken),
        (#"{"alg":["ES256"],"kid":"elliptic"}"#, .malformedToken), (#"{"kid":"elliptic"}"#, .malformedToken),
        (#"{"alg":null,"kid":"elliptic"}"#, .malformedToken), (#"{"alg":"","kid":"elliptic"}"#, .malformedToken),
        (#"{"alg":"ES256","kid":"elliptic","typ":1}"#, .malformedToken),
        (#"{"alg":"none","alg":"ES256","kid":"elliptic"}"#, .malformedToken),
        (#"{"alg":"ES256","kid":"elliptic",}"#, .malformedToken), (#"["ES256"]"#, .malformedToken),
        ("", .malformedToken), ("null", .malformedToken), (#"{"alg":"ES256","kid":"elliptic"} x"#, .malformedToken),
        (#"{"alg":"ES256","kid":"elliptic","crit":["b64"],"b64":false}"#, .unsupportedHeader),
        (#"{"alg":"ES256","kid":"elliptic","crit":[]}"#, .unsupportedHeader),
        (#"{"alg":"ES256","kid":"elliptic","b64":true}"#, .unsupportedHeader),
        (#"{"alg":"ES256","kid":"elliptic","jku":"https://evil.example"}"#, .unsupportedHeader),
        (#"{"alg":"ES256","kid":"elliptic","jwk":{}}"#, .unsupportedHeader),
        (#"{"alg":"ES256","kid":"elliptic","x5u":null}"#, .unsupportedHeader),
        (#"{"alg":"ES256","kid":"elliptic","x5c":[]}"#, .unsupportedHeader),
    ]

    @Test(arguments: headers)
    func `a header that plays tricks is refused though the signature is right`(
        header: String, kind: JOSEError.Kind
    ) throws {
        let token = try TokenFixture.token(header: header, payload: payload, signedWith: fixture.es256.key)

        #expect(fixture.refusal(of: token) == kind)
    }

    @Test func `an algorithm that is not on the issuer's list is refused`() throws {
        let token = try fixture.rs256.token(claims: TokenFixture.claims)

        #expect(fixture.refusal(of: token, algorithms: [.es256]) == .algorithmNotAllowed)
        #expect(fixture.refusal(of: token, algorithms: []) == .algorithmNotAllowed)
    }

    @Test(arguments: [
        ("HS256", "HS256"), ("none", "none"), ("PS512", "PS512"), ("x y", "not registered"),
        ("eyJhbGciOiJub25lIn0", "not registered"),
    ])
    func `a refusal names the token's algorithm if it is a registered one`(algorithm: String, shown: String) throws {
        let header: JSONObject = ["alg": .string(algorithm), "kid": "elliptic"]
        let token = try CompactJWS(
            parsing: TokenFixture.token(
                header: JSONValue.object(header).serialized(), payload: payload, signedWith: fixture.es256.key))

        let error = #expect(throws: JOSEError.self) { try token.verified(with: fixture.keys, algorithms: [.rs256]) }

        #expect(error?.reason == "alg is \(shown), and accepted is RS256")
    }

    static let secret = "a secret of 32 bytes, no more..."

    @Test func `a shared secret verifies HS256 alone`() throws {
        func token(_ algorithm: String, _ key: String) throws -> CompactJWS {
            let input = Base64URL.encode(#"{"alg":"\#(algorithm)","kid":"rsa"}"#.utf8) + "." + Base64URL.encode(payload)
            let code = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: SymmetricKey(data: Data(key.utf8)))
            return try CompactJWS(parsing: input + "." + Base64URL.encode(Array(code)))
        }
        func refusal(_ token: CompactJWS, _ secret: String) -> JOSEError.Kind? {
            do throws(JOSEError) {
                _ = try token.verified(with: Secret(secret))
                return nil
            } catch {
                return error.kind
            }
        }

        #expect(try refusal(token("HS256", Self.secret), Self.secret) == nil)
        #expect(try refusal(token("HS256", Self.secret + "x"), Self.secret) == .invalidSignature)
        for algorithm in ["none", "HS384", "HS512", "RS256", "hs256"] {
            #expect(try refusal(token(algorithm, Self.secret), Self.secret) == .algorithmNotAllowed)
        }
        let short = String(Self.secret.prefix(31))
        #expect(try refusal(token("HS256", short), short) == .unusableKey)
        let signed = try CompactJWS(parsing: fixture.rs256.token(claims: TokenFixture.claims))
        #expect(refusal(signed, Self.secret) == .algorithmNotAllowed)
    }

    @Test func `an unsigned token is refused`() throws {
        let header = Base64URL.encode(#"{"alg":"none","typ":"JWT"}"#.utf8)

        #expect(fixture.refusal(of: "\(header).\(Base64URL.encode(payload)).") == .algorithmNotAllowed)
    }

    @Test func `a public key is not a shared secret`() throws {
        let published = fixture.keys.keys.map { $0.jsonValue.serialized() }
        for secret in published {
            let input = Base64URL.encode(#"{"alg":"HS256","kid":"rsa"}"#.utf8) + "." + Base64URL.encode(payload)
            let code = HMAC<SHA256>.authenticationCode(
                for: Data(input.utf8), using: SymmetricKey(data: Data(secret.utf8)))

            #expect(fixture.refusal(of: input + "." + Base64URL.encode(Array(code))) == .algorithmNotAllowed)
        }
    }

    @Test func `another issuer's key of the same name does not help`() throws {
        let stranger = try TokenFixture(rsaKey: .generate(.rs256))

        #expect(fixture.refusal(of: try stranger.es256.token(claims: TokenFixture.claims)) == .invalidSignature)
        #expect(fixture.refusal(of: try stranger.rs256.token(claims: TokenFixture.claims)) == .invalidSignature)
    }

    @Test(arguments: [
        "", "null", "[]", "\"text\"", "1", #"{"sub":"a","sub":"b"}"#, #"{"sub":"a"}{"#, #"{"sub":"\uD800"}"#,
        "{\"a\":" + String(repeating: "[", count: 16) + String(repeating: "]", count: 16) + "}",
    ])
    func `a payload that is not a strict object is refused though the signature is right`(payload: String) throws {
        let token = try TokenFixture.token(
            header: #"{"alg":"ES256","kid":"elliptic"}"#, payload: Array(payload.utf8), signedWith: fixture.es256.key)

        #expect(fixture.refusal(of: token) == .malformedToken)
    }

    @Test func `an ES256 signature in DER is refused`() throws {
        guard case .es256(let key) = fixture.es256.key as? PrivateSigningKey else {
            Issue.record("not an ES256 key")
            return
        }
        let input =
            Base64URL.encode(#"{"alg":"ES256","kid":"elliptic"}"#.utf8) + "." + Base64URL.encode(payload)
        let signature = try key.signature(for: Data(input.utf8))

        #expect(fixture.refusal(of: input + "." + Base64URL.encode(signature.rawRepresentation)) == nil)
        #expect(
            fixture.refusal(of: input + "." + Base64URL.encode(signature.derRepresentation)) == .invalidSignature)
    }

    @Test func `a signature of zeros is refused`() throws {
        for (algorithm, count) in [(SignatureAlgorithm.es256, 64), (.eddsa, 64), (.rs256, 256), (.ps256, 256)] {
            let parts = try fixture.signer(algorithm).token(claims: TokenFixture.claims).split(separator: ".")
            let zeros = Base64URL.encode(Array(repeating: 0, count: count))

            #expect(fixture.refusal(of: "\(parts[0]).\(parts[1]).\(zeros)") == .invalidSignature)
        }
    }

    @Test func `one given key verifies its own tokens only, with or without a kid`() throws {
        let nameless = try TokenFixture.token(
            header: #"{"alg":"RS256"}"#, payload: payload, signedWith: fixture.rs256.key)
        let lying = try TokenFixture.token(header: #"{"alg":"ES256"}"#, payload: payload, signedWith: fixture.rs256.key)
        let (rsa, elliptic) = (fixture.rs256.key.publicKey, fixture.es256.key.publicKey)
        func refusal(_ token: String, _ key: PublicVerificationKey) -> JOSEError.Kind? {
            do throws(JOSEError) {
                _ = try CompactJWS(parsing: token).verified(with: key)
                return nil
            } catch {
                return error.kind
            }
        }

        #expect(refusal(nameless, rsa) == nil)
        #expect(refusal(try fixture.rs256.token(claims: TokenFixture.claims), rsa) == nil)
        #expect(refusal(lying, rsa) == .algorithmNotAllowed)
        #expect(refusal(nameless, elliptic) == .algorithmNotAllowed)
        #expect(refusal(nameless, try PrivateSigningKey.generate(.rs256).publicKey) == .invalidSignature)
        #expect(try CompactJWS(parsing: nameless).unverifiedClaims() == TokenFixture.claims)
    }
}
