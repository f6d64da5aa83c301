/// What a client hands to the broker as proof of who is in front of it.
///
/// Never printed whole: its description names only its kind.
public struct Credential: Sendable, CustomStringConvertible, CustomReflectable {
    /// The shapes of proof a provider can accept.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case authorizationCode, accessToken, idToken, assertion
    }

    /// The proof itself.
    public enum Proof: Sendable {
        case authorizationCode(AuthorizationCode)
        /// A bearer token the client already holds (RFC 6750). Proves nothing until the provider says whose client it
        /// was issued to.
        case accessToken(String)
        case idToken(IDToken)
        /// Anything else a plugin understands, as named fields.
        case assertion([String: String])
    }

    /// The proof itself, which only its plugin reads.
    public let proof: Proof
    /// What the provider tells only at a person's first sign-in, such as Apple's `user` field.
    public let firstTimeProfile: FirstTimeProfile?

    /// A credential as the client sent it.
    public init(_ proof: Proof, firstTimeProfile: FirstTimeProfile? = nil) {
        self.proof = proof
        self.firstTimeProfile = firstTimeProfile
    }

    /// The shape of the proof.
    public var kind: Kind {
        switch proof {
        case .authorizationCode: .authorizationCode
        case .accessToken: .accessToken
        case .idToken: .idToken
        case .assertion: .assertion
        }
    }

    /// The kind; never the proof.
    public var description: String { "Credential(\(kind.rawValue))" }
    /// Nothing: reflection shows no proof.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Credential {
    /// A one-time code from the browser's return (RFC 6749 §4.1.2).
    public struct AuthorizationCode: Sendable {
        /// The code itself.
        public let code: String
        /// The redirect URI the code was issued for, which the token request has to repeat (RFC 6749 §4.1.3); absent
        /// for codes a native SDK got without one.
        public let redirectURI: String?
        /// The PKCE verifier, when a challenge was sent (RFC 7636 §4.5).
        public let verifier: String?
        /// The nonce an ID token that comes with the code has to carry.
        public let expectedNonce: String?

        /// A code with what was sent to get it.
        public init(code: String, redirectURI: String?, verifier: String? = nil, expectedNonce: String? = nil) {
            self.code = code
            self.redirectURI = redirectURI
            self.verifier = verifier
            self.expectedNonce = expectedNonce
        }

        /// What the ID token that comes with the code has to say: exactly the nonce that was sent, or none.
        public var nonce: NonceExpectation { expectedNonce.map(NonceExpectation.sent) ?? .absent }
    }

    /// An ID token a native SDK obtained (OpenID Connect Core §2).
    public struct IDToken: Sendable {
        /// The token, a signed JWT (RFC 7519).
        public let token: String
        /// The value whose SHA-256 the token's `nonce` claim has to be.
        public let rawNonce: String?
        /// The access token that came with it, checked against `at_hash`.
        public let accessToken: String?
        /// The authorization code that came with it, redeemed for a refresh token.
        public let authorizationCode: String?

        /// A token with what came along with it.
        public init(
            token: String, rawNonce: String? = nil, accessToken: String? = nil, authorizationCode: String? = nil
        ) {
            self.token = token
            self.rawNonce = rawNonce
            self.accessToken = accessToken
            self.authorizationCode = authorizationCode
        }
    }

    /// What a provider tells about a person once and never again. Unproven: it came through the client.
    public struct FirstTimeProfile: Sendable, Hashable {
        /// The person's given name.
        public let givenName: String?
        /// The person's family name.
        public let familyName: String?
        /// The person's address, unproven.
        public let email: String?

        /// What the client passed on.
        public init(givenName: String? = nil, familyName: String? = nil, email: String? = nil) {
            self.givenName = givenName
            self.familyName = familyName
            self.email = email
        }
    }
}
