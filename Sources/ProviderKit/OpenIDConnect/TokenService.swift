/// What the broker does with JSON Web Tokens on a plugin's behalf: no plugin verifies or signs one by itself.
public protocol TokenService: Sendable {
    /// Checks a token's form, signature and registered claims against a policy, with the provider's own keys.
    ///
    /// - Parameters:
    ///   - token: The token as it came.
    ///   - policy: What the provider's tokens look like.
    ///   - nonce: The nonce it has to carry.
    ///   - accessToken: The access token that came with it, which `at_hash` has to fit where there is one.
    /// - Returns: What the token says, every registered claim checked.
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/nonce`` for a nonce that is missing or another,
    ///   ``ProviderError/Fault/credential`` for anything else that is wrong with the token,
    ///   ``ProviderError/Fault/upstream`` when the provider's keys cannot be had.
    func verify(
        _ token: String, by policy: IDTokenPolicy, nonce: NonceExpectation, accessToken: String?
    ) async throws(ProviderError) -> VerifiedIDToken

    /// Signs a token by which our client proves itself (RFC 7523 §3, or Apple's `client_secret`).
    ///
    /// - Returns: The token, in compact form.
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` when the key cannot be used.
    func sign(_ assertion: ClientAssertion) throws(ProviderError) -> String

    /// The public half of a private key, as a JSON Web Key (RFC 7517), for showing and comparing.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` when the key cannot be used.
    func publicKey(of key: ClientAssertion.Key) throws(ProviderError) -> JSONValue

    /// Loads the keys behind `url` now, past any cache, for `broker providers check`.
    ///
    /// - Returns: How many of them can verify a signature here.
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/upstream``.
    func usableKeys(at url: String) async throws(ProviderError) -> Int
}

/// A token by which our client proves itself: what stands in it and what it is signed with.
public struct ClientAssertion: Sendable {
    /// A private key in PEM: PKCS#8, for ES256 also SEC 1, for RS256 also PKCS#1.
    public struct Key: Sendable {
        /// The text between and including the `BEGIN` and `END` lines.
        public let pem: Secret
        /// The name the provider knows it by (`kid`).
        public let keyID: String?
        /// What it signs with.
        public let algorithm: IDTokenPolicy.Algorithm

        /// A key as the provider registered it.
        public init(pem: Secret, keyID: String?, algorithm: IDTokenPolicy.Algorithm) {
            self.pem = pem
            self.keyID = keyID
            self.algorithm = algorithm
        }
    }

    /// What it is signed with.
    public let key: Key
    /// Who says so (`iss`): the client, or the team that owns it.
    public let issuer: String
    /// Which client it is about (`sub`).
    public let subject: String
    /// Whom it is for (`aud`): the provider.
    public let audience: String
    /// Seconds from now until it is worth nothing (`exp`).
    public let lifetime: Int

    /// An assertion to be made now.
    public init(key: Key, issuer: String, subject: String, audience: String, lifetime: Int = 300) {
        self.key = key
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.lifetime = lifetime
    }
}
