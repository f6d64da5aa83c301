import JOSE
import ProviderKit

/// An issuer with a key of each algorithm, made for one test.
struct TokenFixture {
    let es256: TokenSigner
    let rs256: TokenSigner
    let ps256: TokenSigner
    let eddsa: TokenSigner
    let keys: KeySet

    static let claims: JSONObject = [
        "iss": "https://id.example", "aud": "project", "sub": "user-1", "iat": 1_800_000_000, "exp": 1_800_003_600,
    ]

    /// Making RSA keys takes long; one is enough where nothing depends on its being new.
    static let sharedRSAKey = Result { try PrivateSigningKey.generate(.rs256) }

    init() throws {
        try self.init(rsaKey: Self.sharedRSAKey.get())
    }

    init(rsaKey: PrivateSigningKey) throws {
        es256 = try TokenSigner(keyID: "elliptic", key: .generate(.es256))
        rs256 = try TokenSigner(keyID: "rsa", key: rsaKey)
        ps256 = try TokenSigner(keyID: "rsa-pss", key: rsaKey.forPSS())
        eddsa = try TokenSigner(keyID: "edwards", key: .generate(.eddsa))
        keys = try KeySet([es256, rs256, ps256, eddsa].map { try $0.key.publicKey.jwk(keyID: $0.keyID) })
    }

    func signer(_ algorithm: SignatureAlgorithm) -> TokenSigner {
        switch algorithm {
        case .es256: es256
        case .rs256: rs256
        case .ps256: ps256
        case .eddsa: eddsa
        }
    }

    /// A token with whatever header and payload, signed all the same.
    static func token(header: String, payload: [UInt8], signedWith key: any TokenSigningKey) throws -> String {
        let input = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload)
        return input + "." + Base64URL.encode(try key.sign(Array(input.utf8)))
    }

    /// Why `token` is refused, or nil when it is not.
    func refusal(of token: String, algorithms: Set<SignatureAlgorithm> = Set(SignatureAlgorithm.allCases)) -> JOSEError
        .Kind?
    {
        do throws(JOSEError) {
            _ = try CompactJWS(parsing: token).verified(with: keys, algorithms: algorithms)
            return nil
        } catch {
            return error.kind
        }
    }
}

extension PrivateSigningKey {
    /// The same RSA key for PS256.
    func forPSS() throws -> PrivateSigningKey {
        try PrivateSigningKey(algorithm: .ps256, derRepresentation: derRepresentation)
    }
}
