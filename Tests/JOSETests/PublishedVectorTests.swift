import JOSE
import ProviderKit
import Testing

@Suite("The examples of the standards come out as they say")
struct PublishedVectorTests {
    @Test(arguments: [
        (RFC7515.rs256Key, RFC7515.rs256Token, SignatureAlgorithm.rs256),
        (RFC7515.es256Key, RFC7515.es256Token, SignatureAlgorithm.es256),
    ])
    func `RFC 7515 A.2 and A.3 verify`(key: String, token: String, algorithm: SignatureAlgorithm) throws {
        let key = try JSONWebKey(importing: JSONValue(parsing: key)).key
        let token = try CompactJWS(parsing: token)

        #expect(token.header.algorithm == algorithm.rawValue)
        #expect(key.algorithm == algorithm)
        #expect(key.isValid(signature: token.signature, for: token.signingInput))
        #expect(
            try JSONValue(parsing: token.unverifiedPayload)
                == ["iss": "joe", "exp": 1_300_819_380, "http://example.com/is_root": true])
    }

    @Test func `RFC 8037 A.4 verifies`() throws {
        let key = try JSONWebKey(importing: JSONValue(parsing: RFC8037.key))
        let token = try CompactJWS(parsing: RFC8037.token)

        #expect(key.key.algorithm == .eddsa && key.thumbprint == RFC8037.thumbprint)
        #expect(key.key.isValid(signature: token.signature, for: token.signingInput))
    }

    @Test func `RFC 7517 A.1 is a set with one key to verify with and one to leave alone`() throws {
        let keys = try KeySet(importing: JSONValue(parsing: RFC7517.keys))

        #expect(keys.keys.map(\.keyID) == ["2011-04-29"])
        #expect(keys["2011-04-29"]?.algorithm == .rs256)
        #expect(keys.ignored.map(\.kind) == [.unsupportedKey])
    }

    @Test func `RFC 7638 3.1 has its thumbprint`() throws {
        let keys = try KeySet(importing: JSONValue(parsing: RFC7517.keys))

        #expect(keys.keys.first?.thumbprint == RFC7517.thumbprint)
    }

    @Test func `RFC 7520 4.1 verifies, but its payload is no set of claims`() throws {
        let keys = try KeySet([JSONWebKey(importing: JSONValue(parsing: RFC7520.key))])
        let token = try CompactJWS(parsing: RFC7520.token)
        let keyID = try #require(token.header.keyID)

        let error = #expect(throws: JOSEError.self) { try token.verified(with: keys, algorithms: [.rs256]) }

        #expect(keys[keyID]?.isValid(signature: token.signature, for: token.signingInput) == true)
        #expect(String(decoding: token.unverifiedPayload, as: UTF8.self).hasPrefix("It’s a dangerous business, Frodo"))
        #expect(error?.kind == .malformedToken)
    }
}
