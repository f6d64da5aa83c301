import JOSE
import OAuth
import StrictJSON
import Testing

@Suite("Tokens that were verified before")
struct VerifiedTokensTests {
    private static let issuer = "https://id.example"

    /// A key with its id and the tokens it signs.
    private struct Issuer {
        let signer: TokenSigner
        let keys: KeySet

        init(keyID: String = "key") throws {
            let key = try PrivateSigningKey.generate(.es256)
            signer = try TokenSigner(keyID: keyID, key: key)
            keys = try KeySet([try key.publicKey.jwk(keyID: keyID)])
        }

        func token(_ changes: JSONObject = [:]) throws -> String {
            var claims: JSONObject = ["iss": .string(issuer), "aud": "app", "sub": "ada"]
            for (name, value) in changes { claims[name] = value }
            return try signer.token(claims: claims, type: "at+jwt")
        }
    }

    private static func conditions(
        type: String? = "at+jwt", issuer: String = issuer, audiences: [String]? = ["app"],
        algorithms: Set<SignatureAlgorithm> = [.es256]
    ) -> TokenConditions {
        TokenConditions(type: type, issuer: issuer, audiences: audiences, algorithms: algorithms)
    }

    private static func verify(
        _ token: String, in memory: VerifiedTokens<String>, under conditions: TokenConditions, with keys: KeySet
    ) throws(JOSEError) -> String {
        try memory.verify(CompactJWS(parsing: token), TokenDigest(of: token), under: conditions, with: keys) {
            claims, _ throws(JOSEError) in try claims.subject
        }
    }

    @Test func `are found again under the same conditions, with the same key`() throws {
        let (issuer, memory) = (try Issuer(), VerifiedTokens<String>(capacity: 8))
        let token = try issuer.token()
        let digest = TokenDigest(of: token)
        #expect(!memory.contains(digest))

        #expect(try Self.verify(token, in: memory, under: Self.conditions(), with: issuer.keys) == "ada")

        #expect(memory.contains(digest))
        #expect(memory.claims(of: digest, under: Self.conditions(), with: issuer.keys) == "ada")
        #expect(memory.claims(of: TokenDigest(of: token + "A"), under: Self.conditions(), with: issuer.keys) == nil)
    }

    @Test(arguments: [
        conditions(type: "JWT"), conditions(issuer: "https://id.example/session"), conditions(audiences: ["other"]),
        conditions(algorithms: [.rs256]),
    ])
    func `are not found under conditions that a verification would refuse`(other: TokenConditions) throws {
        let (issuer, memory) = (try Issuer(), VerifiedTokens<String>(capacity: 8))
        let token = try issuer.token()
        _ = try Self.verify(token, in: memory, under: Self.conditions(), with: issuer.keys)

        #expect(memory.claims(of: TokenDigest(of: token), under: other, with: issuer.keys) == nil)
        #expect(throws: JOSEError.self) { try Self.verify(token, in: memory, under: other, with: issuer.keys) }
        #expect(memory.claims(of: TokenDigest(of: token), under: Self.conditions(), with: issuer.keys) == "ada")
    }

    @Test func `are not found once their key is gone, or another has its id`() throws {
        let (issuer, memory) = (try Issuer(), VerifiedTokens<String>(capacity: 8))
        let token = try issuer.token()
        _ = try Self.verify(token, in: memory, under: Self.conditions(), with: issuer.keys)

        for keys in [try Issuer(keyID: "next").keys, try Issuer().keys] {
            #expect(memory.claims(of: TokenDigest(of: token), under: Self.conditions(), with: keys) == nil)
        }
    }

    @Test(
        arguments: [
            ["iss": "https://id.example/"], ["aud": "other"], ["aud": ["app", "other"]], ["aud": []], ["sub": 1],
        ] as [JSONObject])
    func `are none that were refused`(changes: JSONObject) throws {
        let (issuer, memory) = (try Issuer(), VerifiedTokens<String>(capacity: 8))
        let token = try issuer.token(changes)

        #expect(throws: JOSEError.self) {
            try Self.verify(token, in: memory, under: Self.conditions(), with: issuer.keys)
        }
        #expect(!memory.contains(TokenDigest(of: token)))
    }

    @Test func `are none with a capacity of 0`() throws {
        let (issuer, memory) = (try Issuer(), VerifiedTokens<String>(capacity: 0))
        let token = try issuer.token()
        _ = try Self.verify(token, in: memory, under: Self.conditions(), with: issuer.keys)

        #expect(!memory.contains(TokenDigest(of: token)))
    }

    @Test func `a bounded number is remembered, and those in use stay`() throws {
        let (issuer, memory) = (try Issuer(), VerifiedTokens<String>(capacity: 4))
        let used = try issuer.token()
        _ = try Self.verify(used, in: memory, under: Self.conditions(), with: issuer.keys)

        let others = try (0..<12).map { try issuer.token(["jti": .integer($0)]) }
        for token in others {
            _ = try Self.verify(token, in: memory, under: Self.conditions(), with: issuer.keys)
            #expect(memory.claims(of: TokenDigest(of: used), under: Self.conditions(), with: issuer.keys) != nil)
        }

        #expect((1...4).contains((others + [used]).count { memory.contains(TokenDigest(of: $0)) }))
    }
}
