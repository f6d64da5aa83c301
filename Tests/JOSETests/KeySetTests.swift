import JOSE
import ProviderKit
import Testing

@Suite("A set of keys answers only for names it has")
struct KeySetTests {
    let one: JSONWebKey
    let two: JSONWebKey

    init() throws {
        one = try PrivateSigningKey.generate(.es256).publicKey.jwk(keyID: "one")
        two = try PrivateSigningKey.generate(.es256).publicKey.jwk(keyID: "two")
    }

    @Test func `a published set is imported as the same set`() throws {
        let published = try KeySet([one, two])

        let imported = try KeySet(importing: JSONValue(parsing: published.jsonValue.serialized()))

        #expect(imported.keys.map(\.thumbprint) == [one.thumbprint, two.thumbprint])
        #expect(imported.ignored.isEmpty)
    }

    @Test(arguments: ["", "One", "one ", "three", "on\u{435}", "one\0"])
    func `there is no key for another name, not even when there is only one`(name: String) throws {
        #expect(try KeySet([one])[name] == nil)
        #expect(try KeySet([one])["one"] != nil)
    }

    @Test func `keys that cannot be used are left out and counted`() throws {
        let set: JSONValue = [
            "keys": [
                ["kty": "oct", "kid": "one", "k": "AQ"], one.jsonValue, ["kty": "OKP", "crv": "X25519", "x": "AQ"],
                7, ["kty": "RSA", "n": "AQ", "e": "AQAB"],
            ]
        ]

        let keys = try KeySet(importing: set)

        #expect(keys.keys.map(\.thumbprint) == [one.thumbprint])
        #expect(keys.ignored.map(\.kind) == [.unsupportedKey, .unsupportedKey, .malformedKey, .unsupportedKey])
    }

    @Test func `a key without id is skipped`() throws {
        var members = try #require(one.jsonValue.object)
        members["kid"] = nil

        let keys = try KeySet(importing: ["keys": [.object(members)]])

        #expect(keys.keys.isEmpty)
        #expect(keys.ignored.count == 1)
    }

    @Test func `two keys with one name are refused, the same key twice is not`() throws {
        var impostor = try #require(two.jsonValue.object)
        impostor["kid"] = "one"

        let keys = try KeySet(importing: ["keys": [one.jsonValue, one.jsonValue]])

        #expect(keys.keys.count == 1)
        #expect(throws: JOSEError.self) { try KeySet(importing: ["keys": [one.jsonValue, .object(impostor)]]) }
    }

    @Test func `more than a hundred keys are refused`() throws {
        let unusable = Array(repeating: JSONValue.object(["kty": "oct"]), count: 100)

        _ = try KeySet(importing: ["keys": .array(unusable)])

        #expect(throws: JOSEError.self) { try KeySet(importing: ["keys": .array(unusable + [one.jsonValue])]) }
    }

    @Test(arguments: [nil, [], [:], ["keys": nil], ["keys": [:]], ["keys": "one"]] as [JSONValue])
    func `what is not a set is refused`(value: JSONValue) {
        let error = #expect(throws: JOSEError.self) { try KeySet(importing: value) }

        #expect(error?.kind == .malformedKey)
    }
}
