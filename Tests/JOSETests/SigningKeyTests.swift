import JOSE
import ProviderKit
import Testing

@Suite("Signing keys")
struct SigningKeyTests {
    @Test(arguments: SignatureAlgorithm.allCases)
    func `a key survives being stored`(algorithm: SignatureAlgorithm) throws {
        let key = try PrivateSigningKey.generate(algorithm)

        let restored = try PrivateSigningKey(algorithm: algorithm, derRepresentation: key.derRepresentation)
        let signature = try restored.sign([1, 2, 3])

        #expect(restored.algorithm == algorithm)
        #expect(key.publicKey.isValid(signature: signature, for: [1, 2, 3]))
        #expect(!key.publicKey.isValid(signature: signature, for: [1, 2, 4]))
        #expect(signature.count == ([.es256, .eddsa].contains(algorithm) ? 64 : 256))
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `bytes that are not a key of the algorithm are refused`(algorithm: SignatureAlgorithm) throws {
        let other = try PrivateSigningKey.generate(algorithm == .es256 ? .rs256 : .es256)

        for bytes in [[], [0x30, 0x00], Array(other.derRepresentation.dropLast()), other.derRepresentation] {
            let error = #expect(throws: JOSEError.self) {
                try PrivateSigningKey(algorithm: algorithm, derRepresentation: bytes)
            }
            #expect(error?.kind == .unusableKey)
        }
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a published key is imported as the same key`(algorithm: SignatureAlgorithm) throws {
        let key = try PrivateSigningKey.generate(algorithm)
        let published = try key.publicKey.jwk()

        let imported = try JSONWebKey(importing: JSONValue(parsing: published.jsonValue.serialized()))

        #expect(imported.keyID == published.thumbprint)
        #expect(imported.thumbprint == published.thumbprint)
        #expect(imported.key.isValid(signature: try key.sign([7]), for: [7]))
        #expect(published.jsonValue["use"] == "sig")
        #expect(published.jsonValue["alg"]?.string == algorithm.rawValue)
        #expect(published.jsonValue["d"] == nil)
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a signature of the wrong length is invalid`(algorithm: SignatureAlgorithm) throws {
        let key = try TokenFixture().signer(algorithm).key.publicKey

        for count in [0, 1, 63, 65, 70, 255, 257, 1000] {
            #expect(!key.isValid(signature: Array(repeating: 1, count: count), for: [1]))
        }
    }

    @Test(arguments: ["", "ümlaut", "a\nb", "\u{7F}", String(repeating: "k", count: 257)])
    func `a key is named in printable ASCII`(keyID: String) throws {
        let key = try PrivateSigningKey.generate(.es256)

        #expect(throws: JOSEError.self) { try TokenSigner(keyID: keyID, key: key) }
        #expect(throws: JOSEError.self) { try key.publicKey.jwk(keyID: keyID) }
    }
}
