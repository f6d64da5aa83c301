import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import Testing

@Suite("Security event tokens")
struct SecurityEventCheckTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let keys = IssuerKeys()

    private static let policy = IDTokenPolicy(
        issuers: ["https://id.example"], audiences: ["our-app"], keySetURL: "https://id.example/keys")

    private static var claims: JSONObject {
        [
            "iss": "https://id.example", "aud": "our-app", "iat": 1_800_000_000, "exp": 1_800_000_600, "jti": "e1",
            "events": ["https://id.example/event": [:]],
        ]
    }

    private static func result(
        _ changes: JSONObject = [:], policy: IDTokenPolicy = policy, type: String? = nil,
        forging forgery: IDTokenForgery? = nil
    ) throws -> Result<VerifiedSecurityEvent, JOSEError> {
        var claims = claims
        for (name, value) in changes { claims[name] = value.isNull ? JSONValue?.none : value }
        let token = keys.token(claims, type: type, forging: forgery, now: now)
        let set = try KeySet(importing: keys.document)
        return Result { () throws(JOSEError) in
            try SecurityEventCheck(policy, now: now)(CompactJWS(parsing: token), keys: set)
        }
    }

    @Test func `a valid token has its id, its times and its events`() throws {
        let event = try Self.result().get()

        #expect(event.id == "e1" && event.audience == "our-app" && event.issuedAt == Self.now)
        #expect(event.expiresAt == Self.now.addingTimeInterval(600))
        #expect(try Self.result(["events": #"{"type":"x"}"#]).get().claims["events"]?.string != nil)
    }

    @Test(
        arguments: [
            ["events": .null], ["events": ["a"]], ["events": true], ["nonce": "n"], ["jti": .null], ["jti": ""],
            ["jti": 7], ["iat": .null], ["iat": 1_800_000_061], ["exp": 1_799_999_940], ["exp": .null],
            ["iss": "https://id.example/"], ["aud": "other"], ["aud": ["our-app", "other"]],
        ] as [JSONObject])
    func `a token that breaks a rule is refused`(changes: JSONObject) throws {
        #expect(throws: JOSEError.self) { try Self.result(changes).get() }
    }

    @Test func `without an expiration the maximum age bounds it`() throws {
        var policy = Self.policy
        policy.maximumAge = 600

        let event = try Self.result(["exp": .null], policy: policy).get()

        #expect(event.expiresAt == Self.now.addingTimeInterval(600))
        #expect(throws: JOSEError.self) {
            try Self.result(["exp": .null, "iat": 1_799_999_000], policy: policy).get()
        }
    }

    @Test(arguments: [IDTokenForgery.brokenSignature, .foreignKey, .unknownKeyID, .noneAlgorithm, .symmetricAlgorithm])
    func `a forged signature is refused`(forgery: IDTokenForgery) throws {
        #expect(throws: JOSEError.self) { try Self.result(forging: forgery).get() }
    }

    @Test func `another type in the header is refused`() throws {
        var policy = Self.policy
        policy.types = ["logout+jwt"]

        #expect(throws: JOSEError.self) { try Self.result(policy: policy, type: "JWT").get() }
        #expect(try Self.result(policy: policy, type: "logout+jwt").get().id == "e1")
    }
}

@Suite("Message authentication codes")
struct MessageAuthenticationTests {
    // RFC 4231 §4.3.
    @Test func `the code of RFC 4231 is valid, and no other`() {
        let code: [UInt8] = [
            0x5b, 0xdc, 0xc1, 0x46, 0xbf, 0x60, 0x75, 0x4e, 0x6a, 0x04, 0x24, 0x26, 0x08, 0x95, 0x75, 0xc7,
            0x5a, 0x00, 0x3f, 0x08, 0x9d, 0x27, 0x39, 0x83, 0x9d, 0xec, 0x58, 0xb9, 0x64, 0xec, 0x38, 0x43,
        ]
        let message = Array("what do ya want for nothing?".utf8)

        #expect(MessageAuthentication.isValid(code, of: message, key: Secret("Jefe")))
        #expect(!MessageAuthentication.isValid(code, of: message, key: Secret("Jefa")))
        #expect(!MessageAuthentication.isValid(code, of: message + [0], key: Secret("Jefe")))
        #expect(!MessageAuthentication.isValid(Array(code.dropLast()), of: message, key: Secret("Jefe")))
        #expect(!MessageAuthentication.isValid([], of: message, key: Secret("Jefe")))
    }
}
