import Crypto
import CryptoExtras
import JOSE
import ProviderKit
import Testing

@Suite("Published keys are imported by the letter")
struct JSONWebKeyImportTests {
    static let curve = Result { try PrivateSigningKey.generate(.es256).publicKey.jwk(keyID: "k").jsonValue }
    static let rsa = Result { try TokenFixture.sharedRSAKey.get().publicKey.jwk(keyID: "k").jsonValue }

    static func refusal(of key: JSONValue, changing changes: JSONObject) -> JOSEError.Kind? {
        var members = key.object ?? [:]
        for (name, value) in changes { members[name] = value }
        do {
            _ = try JSONWebKey(importing: .object(members))
            return nil
        } catch {
            return error.kind
        }
    }

    static func number(bytes count: Int, first: UInt8 = 0x80, last: UInt8 = 1) -> JSONValue {
        .string(Base64URL.encode([first] + Array(repeating: 0xA5, count: count - 2) + [last]))
    }

    static let forBoth: [(JSONObject, JOSEError.Kind?)] = [
        ([:], nil), (["use": "sig"], nil), (["key_ops": ["verify"]], nil), (["key_ops": ["sign", "verify"]], nil),
        (["x5t": "anything", "unknown": [1]], nil),
        (["use": "enc"], .unsupportedKey), (["use": "SIG"], .unsupportedKey), (["use": nil], .malformedKey),
        (["key_ops": []], .unsupportedKey), (["key_ops": ["encrypt"]], .unsupportedKey),
        (["key_ops": "verify"], .malformedKey),
        (["alg": "none"], .unsupportedKey), (["alg": "HS256"], .unsupportedKey), (["alg": "RS512"], .unsupportedKey),
        (["alg": "PS384"], .unsupportedKey), (["alg": "EdDSA"], .malformedKey), (["alg": 1], .malformedKey),
        (["kid": ""], .malformedKey), (["kid": 1], .malformedKey), (["kid": "é"], .malformedKey),
        (["kid": .string(String(repeating: "k", count: 257))], .malformedKey),
        (["kid": .string(String(repeating: "k", count: 256))], nil),
        (["kty": "oct"], .unsupportedKey), (["kty": "OKP", "crv": "X25519"], .unsupportedKey),
        (["kty": "rsa"], .unsupportedKey),
        (["kty": 1], .malformedKey), (["kty": nil], .malformedKey),
        (["d": "AQ"], .malformedKey), (["p": "AQ"], .malformedKey), (["dq": nil], .malformedKey),
        (["k": "AQ"], .malformedKey),
    ]

    @Test(arguments: forBoth)
    func `whatever its type, a key is public, for signatures and of a known algorithm`(
        changes: JSONObject, kind: JOSEError.Kind?
    ) throws {
        #expect(Self.refusal(of: try Self.curve.get(), changing: changes) == kind)
        #expect(Self.refusal(of: try Self.rsa.get(), changing: changes) == kind)
    }

    static let forCurve: [(JSONObject, JOSEError.Kind)] = [
        (["alg": "RS256"], .malformedKey), (["alg": "PS256"], .malformedKey), (["kty": "RSA"], .malformedKey),
        (["crv": "P-384"], .unsupportedKey), (["crv": "secp256k1"], .unsupportedKey), (["crv": nil], .malformedKey),
        (["x": number(bytes: 32)], .malformedKey), (["y": number(bytes: 32)], .malformedKey),
        (["x": number(bytes: 31)], .malformedKey), (["x": number(bytes: 33, first: 0)], .malformedKey),
        (["x": ""], .malformedKey), (["y": nil], .malformedKey), (["x": "a+b/"], .malformedKey),
        (["x": .string(Base64URL.encode(Array(repeating: 0, count: 32)))], .malformedKey),
        (["x": .string(Base64URL.encode(Array(repeating: 0xFF, count: 32)))], .malformedKey),
    ]

    @Test(arguments: forCurve)
    func `an elliptic key is a point on P-256`(changes: JSONObject, kind: JOSEError.Kind) throws {
        #expect(Self.refusal(of: try Self.curve.get(), changing: changes) == kind)
    }

    static let forRSA: [(JSONObject, JOSEError.Kind?)] = [
        (["n": number(bytes: 256)], nil), (["n": number(bytes: 512)], nil), (["e": "Aw"], nil),
        (["alg": "PS256"], nil), (["alg": "ES256"], .malformedKey), (["kty": "EC"], .malformedKey),
        (["n": number(bytes: 256, first: 0x7F)], .unsupportedKey), (["n": number(bytes: 128)], .unsupportedKey),
        (["n": number(bytes: 513)], .unsupportedKey), (["n": number(bytes: 513, first: 1)], .unsupportedKey),
        (["n": number(bytes: 4096)], .unsupportedKey), (["n": number(bytes: 257, first: 0)], .malformedKey),
        (["n": number(bytes: 256, last: 2)], .malformedKey), (["n": ""], .malformedKey), (["n": nil], .malformedKey),
        (["e": "AQ"], .malformedKey), (["e": "Ag"], .malformedKey), (["e": ""], .malformedKey),
        (["e": "AA"], .malformedKey), (["e": "AAEAAQ"], .malformedKey), (["e": "AQAB="], .malformedKey),
        (["e": 65537], .malformedKey), (["e": number(bytes: 5)], .unsupportedKey),
    ]

    @Test(arguments: forRSA)
    func `an RSA key has 2048 to 4096 bits and a sane exponent`(changes: JSONObject, kind: JOSEError.Kind?) throws {
        #expect(Self.refusal(of: try Self.rsa.get(), changing: changes) == kind)
    }

    static let forEdwards: [(JSONObject, JOSEError.Kind?)] = [
        ([:], nil), (["alg": nil], .malformedKey), (["alg": "ES256"], .malformedKey),
        (["crv": "Ed448"], .unsupportedKey),
        (["crv": "X25519"], .unsupportedKey), (["crv": nil], .malformedKey), (["kty": "EC"], .unsupportedKey),
        (["x": number(bytes: 31)], .malformedKey), (["x": number(bytes: 33)], .malformedKey),
        (["x": nil], .malformedKey),
        (["d": "AQ"], .malformedKey),
    ]

    @Test(arguments: forEdwards)
    func `an Edwards key is 32 bytes of Ed25519`(changes: JSONObject, kind: JOSEError.Kind?) throws {
        let key = try PrivateSigningKey.generate(.eddsa).publicKey.jwk(keyID: "k").jsonValue

        #expect(Self.refusal(of: key, changing: changes) == kind)
    }

    @Test func `an RSA key that states no algorithm is one for RS256, and for PS256 where the issuer signs so`() throws
    {
        let signer = try TokenSigner(keyID: "k", key: TokenFixture.sharedRSAKey.get().forPSS())
        let token = try CompactJWS(parsing: signer.token(claims: TokenFixture.claims))
        func verifies(_ algorithm: String?, _ accepted: Set<SignatureAlgorithm>) throws -> Bool {
            var members = try #require(try Self.rsa.get().object)
            members["alg"] = algorithm.map(JSONValue.string)
            let keys = try KeySet(importing: ["keys": [.object(members)]])
            return (try? token.verified(with: keys, algorithms: accepted)) != nil
        }

        #expect(try verifies(nil, [.ps256]))
        #expect(try verifies("PS256", [.ps256, .rs256]))
        #expect(try !verifies("RS256", [.ps256]) && !verifies(nil, [.rs256]))
    }

    @Test(arguments: [nil, 1, "key", []] as [JSONValue])
    func `what is not an object is not a key`(value: JSONValue) {
        #expect(throws: JOSEError.self) { try JSONWebKey(importing: value) }
    }
}
