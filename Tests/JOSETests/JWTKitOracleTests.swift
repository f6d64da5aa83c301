import Foundation
import JOSE
import JWTKit
import ProviderKit
import Testing

@Suite("An independent implementation agrees")
struct JWTKitOracleTests {
    /// Claims of several kinds, without the types of the other implementation that trap.
    struct Payload: JWTPayload, Equatable {
        struct Nested: Codable, Equatable, Sendable { let identities: [String: [String]] }

        let iss: String, sub: String, iat: Int, flag: Bool, text: String, firebase: Nested

        func verify(using algorithm: some JWTAlgorithm) async throws {}

        static let example = Payload(
            iss: "https://id.example", sub: "user-1", iat: 1_800_000_000, flag: true, text: "\"\\/\n\u{1}é😀\u{2028}",
            firebase: Nested(identities: ["github.com": ["1"]]))

        var claims: JSONObject {
            [
                "iss": .string(iss), "sub": .string(sub), "iat": .integer(iat), "flag": .bool(flag),
                "text": .string(text), "firebase": ["identities": ["github.com": ["1"]]],
            ]
        }
    }

    let fixture: TokenFixture

    init() throws {
        fixture = try TokenFixture()
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `it verifies our tokens with the keys we publish`(algorithm: SignatureAlgorithm) async throws {
        let keys = try await JWTKeyCollection().add(jwksJSON: fixture.keys.jsonValue.serialized())
        let token = try fixture.signer(algorithm).token(claims: Payload.example.claims)

        let payload = try await keys.verify(token, as: Payload.self)

        #expect(payload == .example)
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `we verify its tokens`(algorithm: SignatureAlgorithm) async throws {
        let signer = fixture.signer(algorithm)
        let keys = JWTKeyCollection()
        switch try #require(signer.key as? PrivateSigningKey) {
        case .es256(let key):
            await keys.add(ecdsa: try ES256PrivateKey(backing: key), kid: JWKIdentifier(string: signer.keyID))
        case .rs256(let key):
            let key = try Insecure.RSA.PrivateKey(backing: key)
            await keys.add(rsa: key, digestAlgorithm: .sha256, kid: JWKIdentifier(string: signer.keyID))
        case .ps256(let key):
            let key = try Insecure.RSA.PrivateKey(backing: key)
            await keys.add(pss: key, digestAlgorithm: .sha256, kid: JWKIdentifier(string: signer.keyID))
        case .eddsa(let key):
            await keys.add(eddsa: EdDSA.PrivateKey(backing: key), kid: JWKIdentifier(string: signer.keyID))
        }

        let token = try await keys.sign(Payload.example, kid: JWKIdentifier(string: signer.keyID))
        let claims = try CompactJWS(parsing: token).verified(with: fixture.keys, algorithms: [algorithm])

        #expect(claims == .object(Payload.example.claims))
    }
}
