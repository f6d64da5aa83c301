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

    @Test(arguments: [IDTokenPolicy.Algorithm.es256, .ps256, .eddsa], IDTokenForgery.allCases)
    func `a forgery is noticed whatever the issuer signs with`(
        algorithm: IDTokenPolicy.Algorithm, forgery: IDTokenForgery
    ) throws {
        var policy = Self.policy
        policy.keys = .published(url: "https://id.example/keys", algorithms: [algorithm])
        let issuer = IssuerKeys(algorithm: algorithm)
        let keys = try KeySet(importing: issuer.document)
        func isTaken(_ forgery: IDTokenForgery?) throws -> Bool {
            let check = IDTokenCheck(
                policy, nonce: .native(rawNonce: "raw"),
                accessToken: forgery == .wrongAccessTokenHash ? Self.accessToken : nil, now: Self.now)
            let token = issuer.token(Self.claims, forging: forgery, now: Self.now)
            return (try? check(CompactJWS(parsing: token), keys: keys)) != nil
        }

        #expect(try isTaken(nil) && !isTaken(forgery))
    }

    private static let sharedSecret = "a client secret of 32 bytes or more"
    private static let symmetric = IDTokenPolicy(
        issuers: ["https://id.example"], audience: "our-app", clientSecret: Secret(sharedSecret))

    private static func symmetricResult(
        _ nonce: NonceExpectation, forging forgery: IDTokenForgery? = nil, policy: IDTokenPolicy = symmetric
    ) -> Result<VerifiedIDToken, JOSEError> {
        let token = IssuerKeys(clientSecret: sharedSecret).token(claims, forging: forgery, now: now)
        return Result { () throws(JOSEError) in
            try IDTokenCheck(
                policy, nonce: nonce, accessToken: forgery == .wrongAccessTokenHash ? accessToken : nil, now: now)(
                    CompactJWS(parsing: token), keys: nil)
        }
    }

    // Without a key set no token names a key.
    @Test(arguments: IDTokenForgery.allCases.filter { $0 != .missingKeyID })
    func `a forgery is noticed where the client's secret verifies`(forgery: IDTokenForgery) {
        #expect(Self.symmetricResult(.sent("raw")).failure == nil)
        #expect(Self.symmetricResult(.sent("raw"), forging: forgery).failure != nil)
    }

    @Test func `the client's secret verifies no token that a client presents, and no event`() throws {
        for nonce in [NonceExpectation.native(rawNonce: "raw"), .native(rawNonce: nil)] {
            #expect(Self.symmetricResult(nonce).failure?.kind == .algorithmNotAllowed)
        }
        var claims = Self.changing("nonce", nil)
        (claims["jti"], claims["events"]) = ("1", [:])
        let event = IssuerKeys(clientSecret: Self.sharedSecret).token(claims, now: Self.now)
        let error = #expect(throws: JOSEError.self) {
            try SecurityEventCheck(Self.symmetric, now: Self.now)(CompactJWS(parsing: event), keys: nil)
        }
        #expect(error?.kind == .algorithmNotAllowed)
    }

    @Test func `a policy of one kind of keys never takes a token of the other`() throws {
        #expect(Self.symmetricResult(.sent("raw"), policy: Self.policy).failure?.kind == .unknownKey)
        let published = Self.keys.token(Self.claims, now: Self.now)
        let error = #expect(throws: JOSEError.self) {
            try IDTokenCheck(Self.symmetric, nonce: .sent("raw"), accessToken: nil, now: Self.now)(
                CompactJWS(parsing: published), keys: KeySet(importing: Self.keys.document))
        }
        #expect(error?.kind == .algorithmNotAllowed)
    }

    private static let (acme, umbrella) = (
        "11111111-aaaa-4bbb-8ccc-222222222222", "33333333-aaaa-4bbb-8ccc-222222222222"
    )

    /// Whether a token of a tenant is taken, by a key that states an issuer.
    private static func isTaken(
        issuer: String, tenant: JSONValue?, keyIssuer: String? = nil,
        accepting accepted: String = "https://id.example/{tid}/v2.0"
    ) throws -> Bool {
        var policy = Self.policy
        (policy.issuers, policy.tenantClaim) = ([accepted], "tid")
        var claims = changing("iss", .string(issuer))
        claims["tid"] = tenant
        let token = Self.keys.token(claims, now: now)
        var published = try #require(Self.keys.document["keys"]?.array?.first?.object)
        published["issuer"] = keyIssuer.map(JSONValue.string)
        let check = IDTokenCheck(policy, nonce: .native(rawNonce: "raw"), accessToken: nil, now: now)
        let keys = try KeySet(importing: ["keys": [.object(published)]])
        return (try? check(CompactJWS(parsing: token), keys: keys)) != nil
    }

    @Test func `the issuer of a tenant is the one that its token names`() throws {
        let own = "https://id.example/\(Self.acme)/v2.0"

        #expect(try Self.isTaken(issuer: own, tenant: .string(Self.acme)))
        #expect(try !Self.isTaken(issuer: own, tenant: .string(Self.umbrella)))
        #expect(try !Self.isTaken(issuer: own, tenant: nil))
        #expect(try !Self.isTaken(issuer: "https://id.example/{tid}/v2.0", tenant: .string(Self.acme)))
        #expect(try !Self.isTaken(issuer: "https://evil.example/\(Self.acme)/v2.0", tenant: .string(Self.acme)))
        let fixed = "https://id.example/\(Self.umbrella)/v2.0"
        #expect(try !Self.isTaken(issuer: own, tenant: .string(Self.acme), accepting: fixed))
    }

    @Test(arguments: [
        "", "common", "{tid}", "11111111-AAAA-4BBB-8CCC-222222222222", "x/../11111111-aaaa-4bbb-8ccc-22222222",
        "11111111-aaaa-4bbb-8ccc-22222222222", "11111111aaaaa4bbbb8cccc222222222222a",
    ])
    func `a tenant is a UUID in lower case`(tenant: String) throws {
        #expect(try !Self.isTaken(issuer: "https://id.example/\(tenant)/v2.0", tenant: .string(tenant)))
    }

    @Test func `a key that states an issuer verifies no other issuer's tokens`() throws {
        let own = "https://id.example/\(Self.acme)/v2.0"
        func isTaken(_ keyIssuer: String) throws -> Bool {
            try Self.isTaken(issuer: own, tenant: .string(Self.acme), keyIssuer: keyIssuer)
        }

        #expect(try isTaken("https://id.example/{tenantid}/v2.0") && isTaken(own))
        #expect(try !isTaken("https://id.example/\(Self.umbrella)/v2.0"))
        #expect(try !isTaken("https://other.example/{tenantid}/v2.0"))
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
