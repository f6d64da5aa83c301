import ProviderKit

/// The client authentication at the token endpoint (OpenID Connect Core §9), from the options.
struct ClientProof: Sendable {
    /// The supported methods, by their registered names.
    enum Method: String, CaseIterable, DeclaredValue {
        case basic = "client_secret_basic"
        case post = "client_secret_post"
        case privateKey = "private_key_jwt"
        case none

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let method = Method(rawValue: try container.decode(String.self)) else {
                let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "must be one of \(names)")
            }
            self = method
        }
    }

    /// `options.privateKey`.
    struct PrivateKey: DeclaredOptions {
        var pem = Secret("")
        var keyId: String?
        var algorithm = SigningAlgorithm(.es256)
        /// Never taken from a provider's metadata, because a malicious provider could name another audience.
        var audience: String?

        static let declaration = DeclaredObject<PrivateKey>(
            "A private key in PEM and its key ID at the provider.",
            [
                .key("pem", \.pem, "the key in PEM: PKCS#8, for ES256 also SEC 1, for RS256 also PKCS#1").required(),
                .key("keyId", \.keyId, "its key ID at the provider").initially(inWords: "its thumbprint")
                    .narrowed(by: ["minLength": 1]),
                .key("algorithm", \.algorithm, "the signature algorithm").initially("ES256"),
                .key("audience", \.audience, "the audience of assertions")
                    .initially(inWords: "the issuer, for `oauth2` without `issuer` the `tokenUrl`")
                    .narrowed(by: ["minLength": 1]),
            ])
    }

    let method: Method
    private let secret: Secret
    private let key: PrivateKey?

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` when the options contradict each
    ///   other or the key cannot sign.
    init(
        _ method: Method?, secret: Secret?, key: PrivateKey?, in context: ProviderContext
    ) throws(ProviderError) {
        func refuse(_ reason: String) -> ProviderError {
            ProviderError(.configuration, at: .configure, "options." + reason)
        }
        self.method = method ?? (key != nil ? .privateKey : secret != nil ? .basic : .none)
        self.secret = secret ?? Secret("")
        self.key = key
        if let secret, secret.reveal().isEmpty { throw refuse("clientSecret must not be empty") }
        switch self.method {
        case .basic, .post:
            guard secret != nil else { throw refuse("clientSecret is needed for \(self.method.rawValue)") }
            guard key == nil else { throw refuse("privateKey needs tokenEndpointAuthMethod private_key_jwt") }
        case .privateKey:
            guard let key else { throw refuse("privateKey is needed for private_key_jwt") }
            guard secret == nil else { throw refuse("clientSecret is not used with private_key_jwt: remove it") }
            _ = try context.tokens.publicKey(of: key.signingKey)
        case .none:
            guard secret == nil, key == nil else {
                throw refuse("clientSecret and privateKey are not used by tokenEndpointAuthMethod none: remove them")
            }
        }
    }

    /// The authentication of `clientID`; `audience` is the default audience of assertions.
    func authentication(
        of clientID: String, audience: String, in context: ProviderContext
    ) -> OAuth2Client.ClientAuthentication {
        switch method {
        case .basic: return .basic(secret)
        case .post: return .requestBody(secret)
        case .none: return .none
        case .privateKey:
            guard let key else { return .none }
            let assertion = ClientAssertion(
                key: key.signingKey, issuer: clientID, subject: clientID, audience: key.audience ?? audience,
                lifetime: 120)
            return .assertion { () throws(ProviderError) in try context.tokens.sign(assertion) }
        }
    }
}

extension ClientProof.PrivateKey {
    fileprivate var signingKey: ClientAssertion.Key {
        ClientAssertion.Key(pem: pem, keyID: keyId, algorithm: algorithm.value)
    }
}

/// Decodes an algorithm of the options.
struct SigningAlgorithm: DeclaredValue {
    let value: IDTokenPolicy.Algorithm

    init(_ value: IDTokenPolicy.Algorithm) {
        self.value = value
    }

    static var declaredSchema: JSONObject {
        ["enum": .array(IDTokenPolicy.Algorithm.allCases.map { .string($0.rawValue) })]
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = IDTokenPolicy.Algorithm(rawValue: try container.decode(String.self)) else {
            let names = IDTokenPolicy.Algorithm.allCases.map(\.rawValue).joined(separator: " or ")
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "must be \(names)")
        }
        self.value = value
    }
}
