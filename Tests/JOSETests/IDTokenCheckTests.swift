import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import Testing

@Suite("which ID tokens are taken")
struct IDTokenCheckTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let accessToken = "access-token"
    private static let keys = IssuerKeys()

    private static let policy = IDTokenPolicy(
        issuers: ["https://id.example", "https://other-spelling.example"], audiences: ["our-app", "our-web"],
        keySetURL: "https://id.example/keys", nativeNonce: .plain)

    private static var claims: JSONObject {
        [
            "iss": "https://id.example", "sub": "42", "aud": "our-app", "iat": 1_800_000_000, "exp": 1_800_000_600,
            "nonce": "raw", "at_hash": "Ro5cyZKPmV-2URDo_7QwrA",
        ]
    }

    private static func result(
        on claims: JSONObject = claims, forging forgery: IDTokenForgery? = nil, type: String? = "JWT",
        policy: IDTokenPolicy = policy, nonce: NonceExpectation = .native(rawNonce: "raw"), accessToken: String? = nil,
        at date: Date = now
    ) throws -> Result<VerifiedIDToken, JOSEError> {
        let token = keys.token(claims, type: type, forging: forgery, now: now)
        let set = try KeySet(importing: keys.document)
        return Result { () throws(JOSEError) in
            try IDTokenCheck(policy, nonce: nonce, accessToken: accessToken, now: date)(
                CompactJWS(parsing: token), keys: set)
        }
    }

    private static func changing(_ name: String, _ value: JSONValue?) -> JSONObject {
        var claims = claims
        claims[name] = value
        return claims
    }

    @Test func `a valid token names its subject and its client`() throws {
        let token = try Self.result().get()

        #expect(token.subject == "42" && token.issuer == "https://id.example" && token.audience == "our-app")
        #expect(token.expiresAt == Self.now.addingTimeInterval(600) && token.issuedAt == Self.now)
        #expect(token.bindsAccessToken == false)
    }

    @Test(arguments: IDTokenForgery.allCases)
    func `every forgery is noticed`(forgery: IDTokenForgery) throws {
        let result = try Self.result(
            forging: forgery, accessToken: forgery == .wrongAccessTokenHash ? Self.accessToken : nil)

        let error = try #require(result.failure, "taken although forged")
        #expect(ProviderError(error).fault == forgery.expectedFault)
    }

    @Test(arguments: ["https://id.example/", "https://ID.example", "https://id.example\u{200B}", "http://id.example"])
    func `an issuer is compared byte by byte`(issuer: String) throws {
        #expect(try Self.result(on: Self.changing("iss", .string(issuer))).failure?.kind == .invalidClaim)
    }

    @Test func `each spelling the policy lists is the issuer`() throws {
        let token = try Self.result(on: Self.changing("iss", "https://other-spelling.example")).get()

        #expect(token.issuer == "https://other-spelling.example")
    }

    @Test func `a token for several clients is valid for its authorized party`() throws {
        var claims = Self.changing("aud", ["someone-else", "our-app"])
        claims["azp"] = "our-web"

        #expect(try Self.result(on: claims).get().audience == "our-web")
    }

    @Test(arguments: [(-61, false), (-59, true)])
    func `the provider's clock may differ by what the policy allows`(seconds: Int64, isTaken: Bool) throws {
        let late = try Self.result(on: Self.changing("exp", .integer(1_800_000_000 + seconds)))
        let early = try Self.result(on: Self.changing("iat", .integer(1_800_000_000 - seconds)))

        #expect((late.failure == nil) == isTaken)
        #expect((early.failure == nil) == isTaken)
    }

    @Test func `a maximum age ends a token whose end is far away`() throws {
        var policy = Self.policy
        policy.maximumAge = 300
        let claims = Self.changing("exp", 1_800_086_400)

        #expect(try Self.result(on: claims, policy: policy, at: Self.now + 350).failure == nil)
        #expect(try Self.result(on: claims, policy: policy, at: Self.now + 361).failure?.kind == .invalidClaim)
        #expect(try Self.result(on: claims, at: Self.now + 361).failure == nil)
    }

    @Test func `a hashed nonce is the SHA-256 of what the client made, in lower-case hexadecimal`() throws {
        var policy = Self.policy
        policy.nativeNonce = .sha256
        let claims = Self.changing("nonce", "d7439bee24773bcbfa2d0a97947ee36227b10d1022b1a55847e928965bb6bfde")

        #expect(try Self.result(on: claims, policy: policy).failure == nil)
        #expect(try Self.result(policy: policy).failure?.kind == .wrongNonce)
    }

    @Test(
        arguments: [
            (NonceExpectation.native(rawNonce: nil), "raw"), (.native(rawNonce: ""), "raw"),
            (.native(rawNonce: "raw"), nil), (.native(rawNonce: "Raw"), "raw"), (.sent("raw"), nil),
            (.sent("x"), "raw"),
        ] as [(NonceExpectation, String?)])
    func `a nonce that is missing on one side, or another one, is refused`(
        expected: NonceExpectation, claimed: String?
    ) throws {
        let result = try Self.result(on: Self.changing("nonce", claimed.map(JSONValue.string)), nonce: expected)

        #expect(result.failure?.kind == .wrongNonce)
    }

    @Test func `without a nonce on either side a token is taken unless the policy wants one`() throws {
        let claims = Self.changing("nonce", nil)
        var strict = Self.policy
        strict.requiresNativeNonce = true

        #expect(try Self.result(on: claims, nonce: .native(rawNonce: nil)).failure == nil)
        #expect(
            try Self.result(on: claims, policy: strict, nonce: .native(rawNonce: nil)).failure?.kind == .wrongNonce)
        #expect(try Self.result(nonce: .unchecked).failure == nil)
        #expect(try Self.result(on: claims, nonce: .absent).failure == nil)
        #expect(try Self.result(nonce: .absent).failure?.kind == .wrongNonce)
    }

    @Test(arguments: [(JSONValue.bool(false), true), ("false", true), (true, false), ("true", false), (0, false)])
    func `a token may lack its nonce only if it says that it cannot have one`(says: JSONValue, isTaken: Bool) throws {
        var policy = Self.policy
        policy.nonceSupportClaim = "nonce_supported"
        var claims = Self.changing("nonce", nil)
        claims["nonce_supported"] = says

        #expect((try Self.result(on: claims, policy: policy).failure == nil) == isTaken)
        #expect(try Self.result(on: claims).failure?.kind == .wrongNonce)
        claims["nonce"] = "somebody-else's"
        #expect(try Self.result(on: claims, policy: policy).failure?.kind == .wrongNonce)
    }

    @Test func `an access token is bound by the left half of its hash`() throws {
        #expect(try Self.result(accessToken: Self.accessToken).failure?.kind == .invalidClaim)
        let claims = Self.changing("at_hash", "Pxa-1wifRlPl7yG_0oJNfw")

        #expect(try Self.result(on: claims, accessToken: Self.accessToken).get().bindsAccessToken)
        #expect(
            try !Self.result(on: Self.changing("at_hash", nil), accessToken: Self.accessToken).get().bindsAccessToken)
    }

    @Test(arguments: [(nil, true), ("JWT", true), ("jwt", true), ("at+jwt", false), ("secevent+jwt", false)])
    func `only what calls itself an ID token, or nothing, is one`(type: String?, isTaken: Bool) throws {
        #expect((try Self.result(type: type).failure == nil) == isTaken)
    }

    @Test(arguments: [Date.distantPast, Date(timeIntervalSince1970: 1e18), .distantFuture])
    func `a clock that shows another century ends nothing but the token`(date: Date) throws {
        #expect(try Self.result(at: date).failure != nil)
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
