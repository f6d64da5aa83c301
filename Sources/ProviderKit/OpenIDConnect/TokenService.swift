/// The broker's JSON Web Token service for plugins, which never verify or sign tokens themselves.
public protocol TokenService: Sendable {
    /// Verifies a token's form, signature and registered claims against a policy, with the provider's keys.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - policy: The provider's rules.
    ///   - nonce: The nonce that the token must contain.
    ///   - accessToken: The access token issued with it, compared with `at_hash` if present.
    /// - Returns: The verified token.
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/nonce`` for a missing or different nonce,
    ///   ``ProviderError/Fault/credential`` for any other fault of the token,
    ///   ``ProviderError/Fault/upstream`` when the provider's keys cannot be loaded,
    ///   ``ProviderError/Fault/configuration`` when the secret of ``IDTokenPolicy/Keys/clientSecret(_:)`` is too short.
    func verify(
        _ token: String, by policy: IDTokenPolicy, nonce: NonceExpectation, accessToken: String?
    ) async throws(ProviderError) -> VerifiedIDToken

    /// Verifies a security event token (RFC 8417), such as a logout token. It must have `jti`, `iat` and `events`, and no
    /// `nonce`: no ID token passes, as no event passes as an ID token.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - policy: The provider's rules; a token without `exp` is accepted only if it has a ``IDTokenPolicy/maximumAge``.
    /// - Returns: The verified token.
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/credential`` or ``ProviderError/Fault/upstream``.
    func verify(
        securityEvent token: String, by policy: IDTokenPolicy
    ) async throws(ProviderError) -> VerifiedSecurityEvent

    /// Whether a code is the HMAC-SHA256 of a message (RFC 2104), compared in constant time.
    func isValid(hmac code: [UInt8], of message: [UInt8], key: Secret) -> Bool

    /// Signs an assertion that authenticates our client (RFC 7523 §3, or Apple's `client_secret`).
    ///
    /// - Returns: The token, in compact form.
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` when the key cannot be used.
    func sign(_ assertion: ClientAssertion) throws(ProviderError) -> String

    /// The public key of a private key, as a JSON Web Key (RFC 7517), to show and compare.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` when the key cannot be used.
    func publicKey(of key: ClientAssertion.Key) throws(ProviderError) -> JSONValue

    /// Loads the keys of `url` without a cache, for `broker providers check`.
    ///
    /// - Returns: The number of keys that can verify a signature.
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/upstream``.
    func usableKeys(at url: String) async throws(ProviderError) -> Int
}

/// An assertion that authenticates our client: its claims and its key.
public struct ClientAssertion: Sendable {
    /// A private key in PEM: PKCS#8, for ES256 also SEC 1, for RS256 also PKCS#1.
    public struct Key: Sendable {
        /// The text between and including the `BEGIN` and `END` lines.
        public let pem: Secret
        /// The key id at the provider (`kid`).
        public let keyID: String?
        /// The signature algorithm.
        public let algorithm: IDTokenPolicy.Algorithm

        /// Makes a key with its registered id.
        public init(pem: Secret, keyID: String?, algorithm: IDTokenPolicy.Algorithm) {
            self.pem = pem
            self.keyID = keyID
            self.algorithm = algorithm
        }
    }

    /// The signing key.
    public let key: Key
    /// The issuer (`iss`): the client, or the team that owns it.
    public let issuer: String
    /// The client (`sub`).
    public let subject: String
    /// The audience (`aud`): the provider.
    public let audience: String
    /// The lifetime in seconds, until `exp`.
    public let lifetime: Int

    /// Makes an assertion.
    public init(key: Key, issuer: String, subject: String, audience: String, lifetime: Int = 300) {
        self.key = key
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.lifetime = lifetime
    }
}
